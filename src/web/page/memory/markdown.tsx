import { lexer, type Token, type Tokens } from 'marked';
import { type ComponentChild, h } from 'preact';
import { useMemo } from 'preact/hooks';
import { seen } from '../words.ts';

// Deeper than this nobody writes by hand; the rest is shown as it is.
const MAX_DEPTH = 12;
const SAFE_LINK = /^(?:https?:\/\/|mailto:)/i;

// Tokens become nodes one by one; no HTML is ever parsed, and nothing is loaded.
export function Markdown({ text }: { text: string }) {
  const nodes = useMemo(() => rendered(text), [text]);
  return <div class="prose">{nodes}</div>;
}

function rendered(text: string): ComponentChild {
  try {
    return nodesOf(lexer(seen(text), { gfm: true }), 0);
  } catch {
    return <pre>{text}</pre>;
  }
}

function nodesOf(tokens: readonly Token[] | undefined, depth: number): ComponentChild[] {
  return (tokens ?? []).map((token) => nodeOf(token, depth));
}

function nodeOf(token: Token, depth: number): ComponentChild {
  if (depth > MAX_DEPTH) return token.raw;
  const inside = () => nodesOf((token as { tokens?: Token[] }).tokens, depth + 1);
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      // Below the page's own headings.
      return h(`h${Math.min(6, (token as Tokens.Heading).depth + 2)}`, null, inside());
    case 'text':
      return 'tokens' in token && token.tokens ? <span>{inside()}</span> : token.raw;
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'paragraph':
      return <p>{inside()}</p>;
    case 'strong':
    case 'em':
    case 'del':
    case 'blockquote':
      return h(token.type, null, inside());
    case 'br':
    case 'hr':
      return h(token.type, null);
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'code':
      return (
        <pre>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      );
    case 'list':
      return listOf(token as Tokens.List, depth);
    case 'table':
      return tableOf(token as Tokens.Table, depth);
    case 'link':
      return linkOf(token as Tokens.Link, inside());
    case 'image': {
      const { text, href } = token as Tokens.Image;
      return (
        <span class="not-loaded">
          [image{text ? `: ${text}` : ''} <span class="address">{href}</span>]
        </span>
      );
    }
    default:
      return token.raw;
  }
}

function listOf({ ordered, start, items }: Tokens.List, depth: number): ComponentChild {
  const inside = items.map((item) => (
    <li class={item.task ? 'task' : undefined}>
      {item.task ? (item.checked ? '☑ ' : '☐ ') : null}
      {nodesOf(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        depth + 1,
      )}
    </li>
  ));
  return ordered ? <ol start={start === '' ? 1 : start}>{inside}</ol> : <ul>{inside}</ul>;
}

function tableOf({ header, rows }: Tokens.Table, depth: number): ComponentChild {
  const cells = (row: Tokens.TableCell[], tag: 'th' | 'td') =>
    row.map((cell) => h(tag, null, nodesOf(cell.tokens, depth + 1)));
  return (
    <table>
      <thead>
        <tr>{cells(header, 'th')}</tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>{cells(row, 'td')}</tr>
        ))}
      </tbody>
    </table>
  );
}

// Where it leads is shown beside it: a label may say anything.
function linkOf({ href, raw }: Tokens.Link, label: ComponentChild[]): ComponentChild {
  if (!SAFE_LINK.test(href)) return raw;
  const isBare = raw === href || raw === `<${href}>`;
  return (
    <span>
      <a href={href} target="_blank" rel="noopener noreferrer">
        {label}
      </a>
      {isBare ? null : <span class="address"> {href}</span>}
    </span>
  );
}
