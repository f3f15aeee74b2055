// Runs in the browser: a host as the published library makes one. What the app asks for goes to the test, which holds the real client.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

window.startApp = async ({ html, input, result, theme, can }) => {
  const frame = document.querySelector('iframe');
  const bridge = new AppBridge(null, { name: 'host-of-ours', version: '1' }, can, { hostContext: { theme } });
  bridge.oncalltool = (params) => window.hostCallTool(params);
  bridge.onreadresource = (params) => window.hostReadResource(params);
  bridge.onopenlink = async ({ url }) => {
    await window.hostOpenLink(url);
    return {};
  };
  bridge.onsizechange = ({ height }) => {
    frame.style.height = `${height}px`;
  };
  const initialized = new Promise((done) => {
    bridge.oninitialized = done;
  });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html;
  await initialized;
  await bridge.sendToolInput({ arguments: input });
  await bridge.sendToolResult(result);
};
