import { SaxesParser } from 'saxes';
import { shownName } from '../../safety/hidden-characters.ts';
import {
  type Position,
  type PositionOf,
  type ProblemList,
  positionFinder,
  type SourceNode,
  TEMPLATE_LIMITS,
} from './source.ts';

// Ends reading at once; what was read so far stays.
class EndOfReading extends Error {}

// A bare & swallows what follows it. Read as if it were another character, the rest can still be checked.
const MAX_BARE_CHARACTERS = 50;

// Saxes knows only the five entities and fetches nothing; whatever goes beyond plain elements is refused here.
export function readXml(text: string, problems: ProblemList): SourceNode | null {
  const placeOf = positionFinder(text);
  let readable = text;
  for (let characters = 0; ; characters += 1) {
    const reading = readOnce(readable, placeOf);
    if (reading.bareCharacter === null || characters === MAX_BARE_CHARACTERS) {
      for (const [place, message, hint] of reading.problems) problems.error(place, message, hint);
      return reading.root;
    }
    problems.error(placeOf(reading.bareCharacter), 'A bare & is not allowed in XML.', 'Write it as &amp;.');
    readable = `${readable.slice(0, reading.bareCharacter)}+${readable.slice(reading.bareCharacter + 1)}`;
  }
}

interface Reading {
  root: SourceNode | null;
  problems: [Position, string, string][];
  /** Where a & is that starts no reference, if that is what ended the reading. */
  bareCharacter: number | null;
}

function readOnce(text: string, placeOf: PositionOf): Reading {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const open: SourceNode[] = [];
  const reading: Reading = { root: null, problems: [], bareCharacter: null };
  let elements = 0;
  // Where the event before this one ended: the next construct starts after it.
  let last = 0;

  const refuse = (place: Position, message: string, hint: string): never => {
    reading.problems.push([place, message, hint]);
    throw new EndOfReading();
  };
  const here = (): Position => placeOf(parser.position >= text.length ? text.length : Math.max(0, parser.position - 1));
  const refuseDoctype = (start = text.indexOf('<!DOCTYPE', last)): never =>
    refuse(
      placeOf(Math.max(0, start)),
      'A document type declaration is not allowed.',
      'Take out <!DOCTYPE …>: templates need no DTD and no entities of their own.',
    );

  parser.on('error', (error) => {
    const message = plainMessage(error.message);
    // Reported where the attribute is.
    if (message.startsWith('duplicate attribute')) return;
    const declaration = text.lastIndexOf('<!', parser.position - 1);
    if (/doctype|syntax/.test(message) && /^<!doctype/i.test(text.slice(declaration, declaration + 9)))
      refuseDoctype(declaration);
    const character = bareCharacterAfter(text, last);
    if (/entity/.test(message)) {
      const start = Math.max(0, text.lastIndexOf('&', parser.position - 1));
      if (start === character) {
        reading.bareCharacter = character;
        throw new EndOfReading();
      }
      reading.problems.push([placeOf(start), ...explain(message)]);
    } else if (text.startsWith('<!DOCTYPE', skipBlanks(text, last))) refuseDoctype();
    else if (character !== null) {
      reading.bareCharacter = character;
      throw new EndOfReading();
    } else if (message.startsWith('unclosed tag')) {
      const node = open.at(-1);
      refuse(
        node ?? here(),
        `<${shownName(node?.name ?? '')}> is not closed.`,
        'Close every element, the innermost first.',
      );
    } else if (/clos(?:e|ing) tag/.test(message)) {
      refuse(placeOf(Math.max(0, text.lastIndexOf('</', parser.position - 1))), ...explain(message));
    } else refuse(here(), ...explain(message));
  });
  parser.on('xmldecl', ({ encoding }) => {
    last = parser.position;
    if (encoding && encoding.toLowerCase() !== 'utf-8')
      refuse(placeOf(0), `The template says its encoding is "${shownName(encoding)}".`, 'Save it as UTF-8 and say so.');
  });
  parser.on('doctype', () => refuseDoctype());
  parser.on('processinginstruction', ({ target }) =>
    refuse(
      placeOf(Math.max(0, text.lastIndexOf('<?', parser.position - 1))),
      `The processing instruction "${shownName(target)}" is not allowed.`,
      'Take it out: a template holds elements only.',
    ),
  );
  parser.on('comment', () => {
    last = parser.position + 1;
    const parent = open.at(-1);
    if (parent) parent.hasComment = true;
  });
  const addText = (more: string): void => {
    last = parser.position - 1;
    const parent = open.at(-1);
    if (parent) parent.text += more;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('opentagstart', ({ name }) => {
    const place = placeOf(text.lastIndexOf('<', parser.position - 1));
    elements += 1;
    if (elements > TEMPLATE_LIMITS.elements)
      refuse(place, `The template has more than ${TEMPLATE_LIMITS.elements} elements.`, 'Split it into smaller ones.');
    if (open.length >= TEMPLATE_LIMITS.depth)
      refuse(place, `Elements are nested deeper than ${TEMPLATE_LIMITS.depth} levels.`, 'Make the template flatter.');
    if (name.includes(':'))
      refuse(
        place,
        `The element <${shownName(name)}> is of another vocabulary.`,
        'Use plain names; nothing is included.',
      );
    if (open.length === 0 && reading.root)
      refuse(place, 'There is something outside of <task>.', 'A file holds one <task> and nothing else.');
    const node = { name, ...place, attributes: [], children: [], text: '', hasComment: false, complete: false };
    if (open.length === 0) reading.root = node;
    open.at(-1)?.children.push(node);
    open.push(node);
    last = parser.position - 1;
  });
  parser.on('attribute', ({ name, value }) => {
    const node = open.at(-1) as SourceNode;
    const place = placeOf(skipBlanks(text, last));
    last = parser.position;
    if (node.attributes.length >= TEMPLATE_LIMITS.attributes)
      refuse(
        place,
        `More than ${TEMPLATE_LIMITS.attributes} attributes on one element.`,
        'Take out what is not needed.',
      );
    if (node.attributes.some((attribute) => attribute.name === name))
      reading.problems.push([place, `"${shownName(name)}" appears twice on one element.`, 'Keep one of them.']);
    else node.attributes.push({ name, value, ...place });
  });
  parser.on('closetag', () => {
    last = parser.position;
    const node = open.pop();
    if (node) node.complete = true;
  });

  try {
    parser.write(text).close();
  } catch (error) {
    if (!(error instanceof EndOfReading)) throw error;
  }
  return reading;
}

const BARE_SIGN = /^[^<&]*(?:&(?:amp|lt|gt|quot|apos|#\d{1,8}|#x[0-9a-fA-F]{1,8});[^<&]*)*&(?![A-Za-z_#][\w.#-]*;)/;

// In the text that starts here, before any tag.
function bareCharacterAfter(text: string, from: number): number | null {
  const match = BARE_SIGN.exec(text.slice(from, from + 100_000));
  return match ? from + match[0].length - 1 : null;
}

function skipBlanks(text: string, from: number): number {
  let index = from;
  while (index < text.length && /\s/.test(text[index] as string)) index += 1;
  return index;
}

function plainMessage(message: string): string {
  return message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
}

const EXPLANATIONS: readonly [RegExp, string, string][] = [
  [/undefined entity/, 'This entity is not known.', 'Use only &amp; &lt; &gt; &quot; &apos;, or write & as &amp;.'],
  [/entity/, 'This is not a valid entity.', 'Write a plain & as &amp;.'],
  [
    /unmatched closing tag|unexpected close tag/,
    'A closing tag matches no open element.',
    'Open and close each element.',
  ],
  [/document must contain a root element/, 'The template is empty.', 'Start with <task type="atomic">.'],
  [
    /text data outside of root|only one root|documents may contain only one root/,
    'There is something outside of <task>.',
    'A file holds one <task> and nothing else.',
  ],
  [/unexpected end/, 'The file ends too early.', 'Close what is open: comment, tag, text.'],
  [/disallowed character/, 'XML does not allow this character.', 'Take it out, or write < as &lt;.'],
];

function explain(message: string): [string, string] {
  const known = EXPLANATIONS.find(([pattern]) => pattern.test(message));
  return known ? [known[1], known[2]] : [`This is not well-formed XML: ${shownName(message)}.`, 'Fix the markup here.'];
}

export function isXml(text: string): boolean {
  return /^\s*</.test(text.slice(0, 1_000));
}
