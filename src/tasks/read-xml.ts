import { SaxesParser } from 'saxes';
import { type Place, type ProblemList, placeFinder, shown } from './problem.ts';
import { type SourceNode, TEMPLATE_LIMITS } from './source-tree.ts';

// Ends reading at once; what was read so far stays.
class EndOfReading extends Error {}

// Saxes knows only the five entities and fetches nothing; whatever goes beyond plain elements is refused here.
export function readXml(text: string, problems: ProblemList): SourceNode | null {
  const placeOf = placeFinder(text);
  const parser = new SaxesParser({ xmlns: false, position: true });
  const open: SourceNode[] = [];
  let root: SourceNode | null = null;
  let elements = 0;
  // Where the event before this one ended: the next construct starts after it.
  let last = 0;

  const refuse = (place: Place, message: string, hint: string): never => {
    problems.error(place, message, hint);
    throw new EndOfReading();
  };
  const here = (): Place => placeOf(Math.max(0, Math.min(parser.position, text.length) - 1));

  parser.on('error', (error) => {
    const message = plainMessage(error.message);
    if (isMendable(message)) problems.error(here(), ...explain(message));
    else refuse(here(), ...explain(message));
  });
  parser.on('xmldecl', ({ encoding }) => {
    last = parser.position;
    if (encoding && encoding.toLowerCase() !== 'utf-8')
      refuse(placeOf(0), `The template says its encoding is "${shown(encoding)}".`, 'Save it as UTF-8 and say so.');
  });
  parser.on('doctype', () =>
    refuse(
      placeOf(Math.max(0, text.indexOf('<!DOCTYPE', last))),
      'A document type declaration is not allowed.',
      'Take out <!DOCTYPE …>: templates need no DTD and no entities of their own.',
    ),
  );
  parser.on('processinginstruction', ({ target }) =>
    refuse(
      placeOf(Math.max(0, text.lastIndexOf('<?', parser.position - 1))),
      `The processing instruction "${shown(target)}" is not allowed.`,
      'Take it out: a template holds elements only.',
    ),
  );
  parser.on('comment', () => {
    last = parser.position;
    const parent = open.at(-1);
    if (parent) parent.hasComment = true;
  });
  const addText = (more: string): void => {
    last = parser.position;
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
      refuse(place, `The element <${shown(name)}> is of another vocabulary.`, 'Use plain names; nothing is included.');
    const node = { name, ...place, attributes: [], children: [], text: '', hasComment: false, complete: false };
    if (open.length === 0) root = node;
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
    node.attributes.push({ name, value, ...place });
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
  return root;
}

function skipBlanks(text: string, from: number): number {
  let index = from;
  while (index < text.length && /\s/.test(text[index] as string)) index += 1;
  return index;
}

// After these the rest of the file can still be trusted to mean what it says.
function isMendable(message: string): boolean {
  return /entity|duplicate attribute/.test(message);
}

function plainMessage(message: string): string {
  return message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
}

const EXPLANATIONS: readonly [RegExp, string, string][] = [
  [/undefined entity/, 'This entity is not known.', 'Use only &amp; &lt; &gt; &quot; &apos;, or write & as &amp;.'],
  [/entity/, 'This is no valid entity.', 'Write a plain & as &amp;.'],
  [/disallowed character in entity/, 'This is no valid entity.', 'Write a plain & as &amp;.'],
  [/unmatched closing tag|unexpected close tag/, 'A closing tag fits no open element.', 'Open and close each element.'],
  [/unclosed tag/, 'An element is not closed.', 'Close every element, the innermost first.'],
  [/duplicate attribute/, 'An attribute stands twice on one element.', 'Keep one of them.'],
  [/document must contain a root element/, 'The template is empty.', 'Start with <task type="atomic">.'],
  [
    /text data outside of root|only one root|documents may contain only one root/,
    'Something stands outside of <task>.',
    'A file holds one <task> and nothing else.',
  ],
  [/unexpected end/, 'The file ends in the middle.', 'Close what is open: comment, tag, text.'],
  [/disallowed character/, 'A character stands here that XML does not allow.', 'Take it out, or write < as &lt;.'],
  [/inappropriately located doctype/, 'A document type declaration is not allowed.', 'Take out <!DOCTYPE …>.'],
];

function explain(message: string): [string, string] {
  const known = EXPLANATIONS.find(([pattern]) => pattern.test(message));
  return known ? [known[1], known[2]] : [`This is no well-formed XML: ${shown(message)}.`, 'Mend the markup here.'];
}

export function isXml(text: string): boolean {
  return /^\s*</.test(text.slice(0, 1_000));
}
