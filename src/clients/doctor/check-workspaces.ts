import { typedName } from '../../closest.ts';
import { join } from '../../files/paths.ts';
import { readLastRecords, readText } from '../../files/read-file.ts';
import { tastesLedger, workspaceLedger } from '../../gate/domains/accounted-files.ts';
import type { Domains } from '../../gate/domains/domains.ts';
import { standings } from '../../gate/io/read-standing.ts';
import { hasIntent } from '../../gate/io/target-writer.ts';
import { isUntrustedKey } from '../../gate/ledger/chain.ts';
import { findBlock } from '../../gate/ledger/text-blocks.ts';
import { RECENT_RECORDS } from '../../json.ts';
import { tasteFolder } from '../../memory/io/memory-files.ts';
import type { AppContext, Settings } from '../../settings/app-context.ts';
import { gitRoot, identityFault, type Workspace } from '../../settings/io/workspace-folders.ts';
import { listLinks } from '../../settings/io/workspace-links.ts';
import { registryState } from '../../settings/io/workspace-registry.ts';
import { broken, type Finding, fileFault, finding, fixLine, folderFault, hint, ok } from '../io/file-faults.ts';

interface Look {
  app: AppContext;
  settings: Settings;
  domains: Domains;
}

const UNIONS = ['notes.md', 'log.jsonl', 'vocabulary_gaps.jsonl'];

export function checkWorkspaces(app: AppContext, settings: Settings): Finding[] {
  const findings: Finding[] = [];
  const fault = folderFault(settings.folders.workspaces, { optional: settings.text('workspaces') === 'null' });
  if (fault) findings.push(finding('workspaces', app.forPerson(settings.folders.workspaces), fault));
  const registry = registryState(settings.folders);
  const fix = 'bearings doctor --fix repositories';
  if (registry === 'broken') findings.push(broken('workspaces', 'repositories.json is not a list', fix));
  else
    for (const { id, state } of registry)
      if (state === 'gone') findings.push(broken('workspaces', `the folder of "${id}" is gone`, fix));
  for (const { folder, id, state } of listLinks(settings.folders)) {
    const what = `the link of ${app.forPerson(folder)} to "${id}" is not followed: ${state}`;
    const report = state === 'workspace gone' ? broken : hint;
    if (state !== 'followed')
      findings.push(report('workspaces', what, `bearings workspaces unlink ${fixLine(folder)}`));
  }
  if (settings.workspaces().length === 0)
    findings.push(
      hint('workspaces', 'there is no workspace yet', `bearings init${gitRoot(app.cwd) === null ? ' NAME' : ''}`),
    );
  return findings;
}

export async function checkWorkspace(look: Look, workspace: Workspace): Promise<Finding[]> {
  const { app, settings, domains } = look;
  const { id, folder, scope } = workspace;
  const fault = folderFault(folder);
  if (fault) return [finding(id, app.forPerson(folder), fault)];
  const findings: Finding[] = [];
  const add = (what: string, fix: string | null, status: Finding['status'] = 'broken') =>
    findings.push({ check: id, status, what, fix });
  for (const name of ['brief.md', 'notes.md', 'log.jsonl', 'vocabulary_gaps.jsonl']) {
    const wrong = fileFault(join(folder, name), { written: true, scope });
    if (wrong) add(`${name} ${wrong.reason}`, wrong.fix);
    else if (name.endsWith('.jsonl')) {
      // As far back as a read goes: what it warns of is told here too.
      const read = readLastRecords(join(folder, name), scope, RECENT_RECORDS);
      if (read.status === 'ok' && read.value.skipped > 0)
        add(`${name} has a line that holds no JSON object: it is skipped`, null, 'hint');
    } else if (name === 'brief.md' && readText(join(folder, name), scope).status === 'missing')
      add('there is no brief yet', `bearings edit brief ${typedName(id)}`, 'hint');
  }
  for (const name of ['sessions', 'ledger']) {
    const wrong = folderFault(join(folder, name), { optional: true });
    if (wrong) add(`${name} ${wrong.reason}`, wrong.fix);
  }
  if (findings.some(({ status }) => status === 'broken')) return findings;
  await checkDecisions(look, workspace, add);
  if (workspace.kind === 'repository') checkRepository(workspace, add);
  for (const { proposal } of domains.pendingOf(settings, workspace).pending()) {
    const taste = proposal.replaces === null ? null : tasteFolder(settings).read(proposal.file.slice(0, -3));
    const isStale = taste !== null && !(taste.status === 'ok' && findBlock(taste.value.text, proposal.replaces ?? ''));
    if (isStale) add(`${proposal.proposal_id} would replace what is gone`, 'bearings review');
  }
  return findings.length > 0 ? findings : [ok(id, app.forPerson(folder))];
}

type Add = (what: string, fix: string | null, status?: Finding['status']) => void;

/** What is wrong with the record of the home and of the tastes. */
export function checkRecord(app: AppContext, settings: Settings): Finding[] {
  const { home, of } = standings(app);
  return [...home().decided.faults, ...of(tastesLedger(settings)).faults].map(({ ledger, message, calm }) =>
    (calm ? hint : broken)('record', `${ledger}: ${message}`, 'bearings verify'),
  );
}

async function checkDecisions({ app, settings, domains }: Look, workspace: Workspace, add: Add): Promise<void> {
  const domain = domains.notes(settings, workspace);
  const intent = fileFault(domain.intentPath, { written: true });
  if (intent) add(`the unfinished decision ${intent.reason}`, intent.fix);
  else if (hasIntent(domain)) add('a decision was started and not finished', 'bearings review --list');
  const { faults } = standings(app).of(workspaceLedger(settings, workspace));
  for (const { chain, message, calm, kind } of faults)
    add(
      `ledger${chain === null ? '' : ` ${chain}`}: ${message}${isUntrustedKey({ kind }) ? ', not trusted yet' : ''}`,
      'bearings review',
      calm || isUntrustedKey({ kind }) ? 'hint' : 'broken',
    );
}

function checkRepository(workspace: Workspace, add: Add): void {
  const { id, folder, scope } = workspace;
  const wrong = identityFault(workspace);
  if (wrong) add(`workspace.json ${wrong}`, `bearings workspaces rename ${fixLine(id, id)}`);
  const linesOf = (name: string) => {
    const read = readText(join(folder, name), scope);
    return read.status === 'ok' ? read.value.text.split(/\r?\n/).map((line) => line.trim()) : [];
  };
  const append = (lines: string[], name: string) =>
    `printf '${lines.map((line) => `${line}\\n`).join('')}' >> ${fixLine(join(folder, name))}`;
  if (!linesOf('.gitignore').some((line) => /^\/?sessions\/?$/.test(line)))
    add('git would commit your sessions', append(['sessions/'], '.gitignore'));
  const known = linesOf('.gitattributes');
  const missing = UNIONS.map((name) => `${name} merge=union`).filter((line) => !known.includes(line));
  if (missing.length > 0) add('a merge in git could lose lines', append(missing, '.gitattributes'));
}
