// A model on loopback that follows a script: each turn of the client's main conversation takes the next step, a tool call or a text.
// It speaks what the clients speak: Anthropic's messages, OpenAI's responses and chat, Gemini's generateContent. Everything asked is kept.
import { createServer } from 'node:http';

/** A step: { tool, input } with the tool's own name, { text }, or a function of what the last tool answered that gives one. */
export async function scriptedModel(script, { isMain: isMainOf = hasOurTools } = {}) {
  const requests = [];
  const steps = [...script];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const value = parsed(body);
    const dialect = DIALECTS.find(({ path }) => path.test(request.url));
    if (request.method !== 'POST' || !dialect) return response.writeHead(404).end('{}');
    if (/count_?tokens/i.test(request.url)) return response.end('{"input_tokens": 5, "totalTokens": 5}');
    const tools = dialect.tools(value);
    const isMain = isMainOf(tools);
    requests.push({ body, tools: tools.map(({ name }) => name), isMain });
    const next = isMain ? (steps.shift() ?? { text: 'That is all.' }) : { text: 'Fine.' };
    const step = typeof next === 'function' ? next(body) : next;
    const tool = step.tool && tools.find(({ name }) => name.endsWith(step.tool));
    dialect.answer(response, {
      ...step,
      tool: tool ?? (step.tool && { name: step.tool }),
      turn: requests.length,
      value,
      isStream: value.stream ?? request.url.includes(':stream'),
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    /** What the main conversation was given, turn by turn. */
    main: () => requests.filter(({ isMain }) => isMain),
    close: () => new Promise((done) => server.close(done).closeAllConnections()),
  };
}

// Clients ask about other things beside, such as a title for the conversation.
function hasOurTools(tools) {
  return tools.some(({ name }) => name.endsWith('read_context'));
}

function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}

const DIALECTS = [
  { path: /^\/v1\/messages/, tools: ({ tools = [] }) => tools, answer: asAnthropic },
  {
    path: /^\/v1\/responses/,
    // Tools of a server are in a namespace of its name.
    tools: ({ tools = [] }) =>
      tools.flatMap(({ type, name = type, tools: inner }) =>
        inner ? inner.map((each) => ({ name: each.name, namespace: name })) : [{ name }],
      ),
    answer: asOpenAi,
  },
  {
    path: /^\/v1\/chat\/completions/,
    tools: ({ tools = [] }) => tools.map(({ function: { name } }) => ({ name })),
    answer: asChat,
  },
  {
    path: /^\/v1beta\/models\//,
    tools: ({ tools = [] }) => tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations),
    answer: asGemini,
  },
];

function events(response) {
  response.setHeader('content-type', 'text/event-stream');
  return (type, more) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
}

function asAnthropic(response, { tool, input = {}, text = '', turn, value, isStream }) {
  const block = tool ? { type: 'tool_use', id: `toolu_${turn}`, name: tool.name, input } : { type: 'text', text };
  const usage = { input_tokens: 5, output_tokens: 5 };
  const message = {
    id: `msg_${turn}`,
    type: 'message',
    role: 'assistant',
    model: value.model,
    stop_sequence: null,
    usage,
  };
  const stop_reason = tool ? 'tool_use' : 'end_turn';
  if (!isStream) return response.end(JSON.stringify({ ...message, content: [block], stop_reason }));
  const send = events(response);
  send('message_start', { message: { ...message, content: [], stop_reason: null } });
  send('content_block_start', { index: 0, content_block: tool ? { ...block, input: {} } : { type: 'text', text: '' } });
  const delta = tool ? { type: 'input_json_delta', partial_json: JSON.stringify(input) } : { type: 'text_delta', text };
  send('content_block_delta', { index: 0, delta });
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}

function asOpenAi(response, { tool, input = {}, text = '', turn }) {
  const item = tool
    ? { type: 'function_call', id: `fc_${turn}`, call_id: `call_${turn}`, ...tool, arguments: JSON.stringify(input) }
    : {
        type: 'message',
        id: `m_${turn}`,
        role: 'assistant',
        content: [{ type: 'output_text', text, annotations: [] }],
      };
  const send = events(response);
  send('response.created', { response: { id: `r_${turn}` } });
  send('response.output_item.added', { output_index: 0, item });
  send('response.output_item.done', { output_index: 0, item });
  const usage = { input_tokens: 5, output_tokens: 5, total_tokens: 10 };
  send('response.completed', { response: { id: `r_${turn}`, output: [item], usage } });
  response.end();
}

function asChat(response, { tool, input = {}, text = '', turn, value, isStream }) {
  const call = tool && {
    id: `call_${turn}`,
    type: 'function',
    function: { name: tool.name, arguments: JSON.stringify(input) },
  };
  const message = { role: 'assistant', ...(call ? { content: null, tool_calls: [call] } : { content: text }) };
  const finish_reason = call ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };
  const about = { id: `c_${turn}`, created: 0, model: value.model };
  if (!isStream)
    return response.end(JSON.stringify({ ...about, choices: [{ index: 0, message, finish_reason }], usage }));
  response.setHeader('content-type', 'text/event-stream');
  const delta = call ? { ...message, tool_calls: [{ index: 0, ...call }] } : message;
  for (const choice of [
    { delta, finish_reason: null },
    { delta: {}, finish_reason },
  ]) {
    const chunk = { ...about, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }], usage };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
  response.end('data: [DONE]\n\n');
}

function asGemini(response, { tool, input = {}, text = '', value, isStream }) {
  const part = tool ? { functionCall: { name: tool.name, args: input } } : { text };
  // It compacts only what has grown: the size of what it sent is told back.
  const sent = Math.ceil(JSON.stringify(value).length / 4);
  const answer = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: sent, candidatesTokenCount: 5, totalTokenCount: sent + 5 },
  };
  if (!isStream) return response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  response.setHeader('content-type', 'text/event-stream');
  response.end(`data: ${JSON.stringify(answer)}\r\n\r\n`);
}
