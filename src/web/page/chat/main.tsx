import { render } from 'preact';
import { isRecord } from '../../../json.ts';
import { type Host, Inbox } from './inbox.tsx';

const PROTOCOL = '2026-01-26';
const NO_SUCH_METHOD = -32_601;
const ANSWERED = ['ping', 'ui/resource-teardown'];

const root = document.getElementById('inbox');
let can = { callsTools: false, readsResources: false, opensLinks: false };
let result: Record<string, unknown> | null = null;
let input: Record<string, unknown> = {};

const show = (): void => {
  if (root) render(<Inbox {...{ host, can, result, onResult, input }} />, root);
};
const onResult = (next: Record<string, unknown>): void => {
  result = next;
  show();
};

// The host's own light or dark; without its word the system's.
const follow = ({ theme }: Record<string, unknown>): void => {
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme;
};

const host = connectHost(window.parent, {
  'ui/notifications/tool-input': ({ arguments: given }) => {
    input = isRecord(given) ? given : {};
  },
  'ui/notifications/tool-result': onResult,
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

// Only the frame around us is heard: a message from anywhere else is nobody's word.
function connectHost(frame: Window, heard: Record<string, (params: Record<string, unknown>) => void>): Host {
  const open = new Map<number, { resolve(value: Record<string, unknown>): void; reject(error: Error): void }>();
  const post = (message: object): void => frame.postMessage({ jsonrpc: '2.0', ...message }, '*');
  let last = 0;
  addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== frame || !isRecord(data) || data.jsonrpc !== '2.0') return;
    const { id, method, params, result, error } = data;
    if (typeof method === 'string') {
      heard[method]?.(isRecord(params) ? params : {});
      if (id === undefined) return;
      if (ANSWERED.includes(method)) post({ id, result: {} });
      else post({ id, error: { code: NO_SUCH_METHOD, message: 'Method not found' } });
      return;
    }
    const asked = open.get(Number(id));
    open.delete(Number(id));
    if (isRecord(error)) asked?.reject(new Error(String(error.message ?? 'The host refused.')));
    else asked?.resolve(isRecord(result) ? result : {});
  });
  return {
    request(method, params) {
      last += 1;
      const id = last;
      return new Promise((resolve, reject) => {
        open.set(id, { resolve, reject });
        post({ id, method, params });
      });
    },
    notify: (method, params) => post({ method, params }),
  };
}
