// Which of two like things a text wants: `use pnpm, not npm`, `never use yarn`. Sure ones alone.
const WORD = '[a-z][\\w-]*';
const ADDRESSED =
  '^(?:[\\w ]{1,30}: ?)?(?:(?:please|always|we|you|should|must|only|uses?|using|run|prefer|with|switch to) )*';
// One thing in place of another, or a thing refused, and nothing else said of it.
const INSTEAD: readonly RegExp[] = [
  `(?<wanted>${WORD}),? (?:and )?(?:not|never|over|instead of|rather than) (?<refused>${WORD}(?:(?:, or|,| or) ${WORD})*)$`,
  `(?:do not|don['’]?t|never|stop|avoid) (?:ever )?us(?:e|ing) (?<refused>${WORD})(?:,? (?:- )?(?:(?:and|but|we|please|always|only) )*use (?<wanted>${WORD})(?: instead)?)?$`,
].map((form) => new RegExp(ADDRESSED + form));
const ASKED = `(?:${ADDRESSED}(?:use|run)|\\b(?:install|test|build|run|format|lint|indent|deploy|manage)\\w*(?: [\\w-]+){0,3} with)`;
const COMMAND = '(?:ci|i|install|add|run|tests?|start|exec|build)';
const UNSURE =
  /\b(?:not|no|never|avoid|without|instead|rather|cannot|\w+n['’]t|dont|if|when|unless|except|only|until|while|for|or|legacy|old|global(?:ly)?|publish\w*)\b|\s-g\b|[❌✗🚫⛔]/iu;

// What a project has one of: who asks for one refuses the others.
const ONE_OF = [
  'npm pnpm yarn bun',
  'pip poetry uv pipenv conda',
  'jest vitest mocha jasmine ava',
  'pytest unittest nose',
  'webpack vite rollup esbuild parcel',
].map((row) => row.split(' '));
const ONE = new RegExp(
  `^(?:(?:please|always|we|you|should|must|only) )*(?:use|using|prefer) (?<wanted>${WORD})(?: only)?$`,
);

/** What a line of another text may not use, and how it would be said or run. */
export interface Refusal {
  wanted: RegExp | null;
  asked: RegExp;
  ran: RegExp;
}

// A whole paragraph is no rule about one thing.
const LONGEST = 300;

export function refusalsIn(text: string): Refusal[] {
  if (text.length > LONGEST) return [];
  const sentences = text
    .toLowerCase()
    .replace(/[*`"()]/g, '')
    .split(/[.;!](?:\s+|$)/);
  return sentences.flatMap((sentence) => {
    const groups = INSTEAD.map((form) => form.exec(sentence)?.groups).find(Boolean) ?? othersOfItsKind(sentence);
    return groups ? [refusalOf(groups)] : [];
  });
}

function refusalOf({ wanted, refused = '' }: { wanted?: string; refused?: string }): Refusal {
  const thing = `(?:${refused.split(/,? or |, /).join('|')})`;
  const said = `${ASKED} \`?${thing}(?![\\w-]|[./@]\\w)`;
  return {
    wanted: wanted ? new RegExp(`\\b${wanted}\\b`) : null,
    asked: new RegExp(`${said}|(?:^|\`)${thing} ${COMMAND}\\b`),
    ran: new RegExp(`${said}|(?:^[$>] |^|&& )${thing}(?: |$)`),
  };
}

/** Whether a line uses just what was refused. Sure ones alone: a condition is none. */
export function usesRefused(
  refusals: readonly Refusal[],
  { text, isCommand = false }: { text: string; isCommand?: boolean },
): boolean {
  const line = text.replace(/\*+/g, '').toLowerCase();
  if (refusals.length === 0 || line.length > LONGEST || UNSURE.test(line)) return false;
  return refusals.some(({ wanted, asked, ran }) => !wanted?.test(line) && (isCommand ? ran : asked).test(line));
}

function othersOfItsKind(sentence: string): { wanted?: string; refused: string } | undefined {
  const wanted = ONE.exec(sentence)?.groups?.wanted ?? '';
  const kind = ONE_OF.find((names) => names.includes(wanted));
  return kind && { wanted, refused: kind.filter((name) => name !== wanted).join(' or ') };
}
