import { isRecord } from '../../../json-record.ts';

/** The frame around the app, as the MCP Apps protocol (2026-01-26) knows it: JSON-RPC by messages. */
export interface Host {
  request(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>>;
  notify(method: string, params: Record<string, unknown>): void;
}

type Heard = Record<string, (params: Record<string, unknown>) => void>;

const NO_SUCH_METHOD = -32_601;
const ANSWERED = ['ping', 'ui/resource-teardown'];

// Only the frame around us is heard: a message from anywhere else is nobody's word.
export function connectHost(frame: Window, heard: Heard): Host {
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
