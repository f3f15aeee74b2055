import { SaxesParser } from 'saxes';
import { shownName } from '../../safety/hidden-characters.ts';
import { type Position, type ProblemList, positionFinder, type SourceNode, TEMPLATE_LIMITS } from './template.ts';

// Ends reading at once; what was read so far stays.
class EndOfReading extends Error {}

// What may not be in a template but for comments and CDATA: a bare &, a declaration, an instruction.
const FOREIGN =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<![a-z]+|<\?(?!xml\s)[\w.:-]*|&(?![A-Za-z_#][\w.#-]*;)/gi;

// Saxes knows only the five entities and fetches nothing; whatever goes beyond plain elements is refused here.
export function readXml(source: string, problems: ProblemList): SourceNode | null {
  const placeOf = positionFinder(source);
  let isForeign = false;
  const text = source.replace(FOREIGN, (found, offset: number) => {
    if (found.startsWith('<!--') || found.startsWith('<![')) return found;
    // It swallows what follows it. Read as if it were another character, the rest can still be checked.
    if (found === '&') problems.error(placeOf(offset), 'A bare & is not allowed in XML.', 'Write it as &amp;.');
    else if (!isForeign) {
      const what = found.startsWith('<?') ? 'processing instruction' : 'document type declaration';
      const hint = 'Take it out: a template holds elements only, and needs no entities of its own.';
      problems.error(placeOf(offset), `The ${what} ${shownName(found)} is not allowed.`, hint);
    }
    isForeign ||= found !== '&';
    return found === '&' ? '+' : found;
  });
  if (isForeign) return null;
  const parser = new SaxesParser({ xmlns: false, position: true });
  const open: SourceNode[] = [];
  let root: SourceNode | null = null;
  let closed: SourceNode | undefined;
  let elements = 0;
  // Where the name of the element at hand, or its last attribute, ended: the next one starts after it.
  let last = 0;

  const refuse = (place: Position, message: string, hint: string): never => {
    problems.error(place, message, hint);
    throw new EndOfReading();
  };
  const lastBefore = (mark: string): Position => placeOf(Math.max(0, text.lastIndexOf(mark, parser.position - 1)));

  parser.on('error', (error) => {
    const message = error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
    const said = [
      `This is not well-formed XML: ${shownName(message)}.`,
      'Fix it here; write & as &amp; and < as &lt;.',
    ] as const;
    // Reported where the attribute is.
    if (message.startsWith('duplicate attribute')) return;
    if (/entity/.test(message)) return problems.error(lastBefore('&'), ...said);
    // Whose end is not there is closed by the end of what it is in.
    const isAtEnd = message.startsWith('unclosed tag');
    const unclosed = isAtEnd ? open.at(-1) : message === 'unexpected close tag' ? closed : undefined;
    if (unclosed) {
      unclosed.complete = false;
      const words = `<${shownName(unclosed.name)}> of line ${unclosed.line} is not closed.`;
      refuse(isAtEnd ? unclosed : lastBefore('</'), words, 'Close every element, the innermost first.');
    }
    if (/clos(?:e|ing) tag/.test(message)) refuse(lastBefore('</'), ...said);
    const end = parser.position >= text.length ? text.length : Math.max(0, parser.position - 1);
    return refuse(placeOf(end), ...said);
  });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding && encoding.toLowerCase() !== 'utf-8')
      refuse(placeOf(0), `The template says its encoding is "${shownName(encoding)}".`, 'Save it as UTF-8 and say so.');
  });
  parser.on('comment', () => {
    const parent = open.at(-1);
    if (parent) parent.hasComment = true;
  });
  const addText = (more: string): void => {
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
    if (open.length === 0 && root)
      refuse(place, 'There is something outside of <task>.', 'A file holds one <task> and nothing else.');
    const node = { name, ...place, attributes: [], children: [], text: '', hasComment: false, complete: false };
    root ??= node;
    open.at(-1)?.children.push(node);
    open.push(node);
    last = parser.position - 1;
  });
  parser.on('attribute', ({ name, value }) => {
    const node = open.at(-1) as SourceNode;
    const place = placeOf(last + Math.max(0, text.slice(last).search(/\S/)));
    last = parser.position;
    if (node.attributes.length >= TEMPLATE_LIMITS.attributes)
      refuse(
        place,
        `More than ${TEMPLATE_LIMITS.attributes} attributes on one element.`,
        'Take out what is not needed.',
      );
    if (node.attributes.some((attribute) => attribute.name === name))
      problems.error(place, `"${shownName(name)}" appears twice on one element.`, 'Keep one of them.');
    else node.attributes.push({ name, value, ...place });
  });
  parser.on('closetag', () => {
    closed = open.pop();
    if (closed) closed.complete = true;
  });

  try {
    parser.write(text).close();
  } catch (error) {
    if (!(error instanceof EndOfReading)) throw error;
  }
  return root;
}

export function isXml(text: string): boolean {
  return /^\s*</.test(text.slice(0, 1_000));
}
