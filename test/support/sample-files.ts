// A home with three tastes and one workspace, as most tests need it.
export const SAMPLE_FILES: Readonly<Record<string, string>> = {
  '.bearings/tastes/_default.md': '- calm\n',
  '.bearings/tastes/underwater.md': '- blue\n- lift\n',
  '.bearings/tastes/macro.md': '- lift\n',
  '.bearings/workspaces/manta/brief.md': 'Tastes: underwater, macro, wildlife\n\nQuiet mood.\n',
  '.bearings/workspaces/manta/notes.md': Array.from({ length: 50 }, (_, i) => `note ${i}\n`).join(''),
  '.bearings/workspaces/manta/log.jsonl': '{"timestamp":"2026-01-01T00:00:00Z","op":"apply","value":1}\nbroken\n',
};
