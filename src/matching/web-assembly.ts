// What of it is used here: it is no part of Node's own types.
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object, given?: object) => { exports: unknown };
};

export const PAGE = 65_536;

const modules = new Map<string, object>();

/** What a module in base64 has to offer, given what it asks for. */
export function instanceOf(code: string, given: object = {}): unknown {
  let module = modules.get(code);
  if (!module) {
    module = new WebAssembly.Module(Uint8Array.from(atob(code), (sign) => sign.charCodeAt(0)));
    modules.set(code, module);
  }
  return new WebAssembly.Instance(module, given).exports;
}
