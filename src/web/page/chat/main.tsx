import { render } from 'preact';
import { isRecord } from '../../../json-record.ts';
import { connectHost } from './host.ts';
import { type Abilities, Inbox } from './inbox.tsx';
import { type Listed, listedIn } from './inbox-data.ts';

const PROTOCOL = '2026-01-26';

const root = document.getElementById('inbox');
let can: Abilities = { callsTools: false, readsResources: false, opensLinks: false };
let listed: Listed | null = null;
let input: Record<string, unknown> = {};
let isCancelled = false;

const show = (): void => {
  if (!root) return;
  const onListed = (found: Listed): void => {
    listed = found;
    show();
  };
  render(<Inbox {...{ host, can, listed, isCancelled, onListed, input }} />, root);
};

// The host's own light or dark; without its word the system's.
const follow = ({ theme }: Record<string, unknown>): void => {
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme;
};

const host = connectHost(window.parent, {
  'ui/notifications/tool-input': ({ arguments: given }) => {
    input = isRecord(given) ? given : {};
  },
  'ui/notifications/tool-result': (result) => {
    listed = listedIn(result) ?? listed;
    show();
  },
  'ui/notifications/tool-cancelled': () => {
    isCancelled = true;
    show();
  },
  'ui/notifications/host-context-changed': follow,
});

show();
const { hostCapabilities, hostContext } = await host.request('ui/initialize', {
  appInfo: { name: 'bearings-inbox', version: '1' },
  appCapabilities: {},
  protocolVersion: PROTOCOL,
});
const offered = isRecord(hostCapabilities) ? hostCapabilities : {};
can = {
  callsTools: isRecord(offered.serverTools),
  readsResources: isRecord(offered.serverResources),
  opensLinks: isRecord(offered.openLinks),
};
if (isRecord(hostContext)) follow(hostContext);
host.notify('ui/notifications/initialized', {});
show();
// The frame is as high as what is in it.
new ResizeObserver(() => {
  const { height } = document.documentElement.getBoundingClientRect();
  host.notify('ui/notifications/size-changed', { height: Math.ceil(height) });
}).observe(document.documentElement);
