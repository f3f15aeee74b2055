// A key from a passphrase takes a third of a second, so that nobody can guess many, and to read a key takes longer than to check
// a signature with it. Tests ask for the same ones again and again, and put the same home in its place hundreds of times: each
// question is answered once in a process, by the real function, and the answer given again to the same question.
const crypto = require('node:crypto');
const { syncBuiltinESMExports } = require('node:module');

const { scryptSync } = crypto;

if (!scryptSync.known) {
  const known = new Map();
  crypto.scryptSync = (passphrase, salt, length, options) => {
    const question = JSON.stringify([passphrase, salt, length, options]);
    if (!known.has(question)) known.set(question, scryptSync(passphrase, salt, length, options));
    return Buffer.from(known.get(question));
  };
  crypto.scryptSync.known = known;
  for (const name of ['createPublicKey', 'createPrivateKey']) crypto[name] = once(crypto[name]);
  crypto.verify = checkedOnce(crypto.verify);
  syncBuiltinESMExports();
}

function once(read) {
  const known = new Map();
  return (input) => {
    if (!Buffer.isBuffer(input.key)) return read(input);
    const question = `${input.format} ${input.type} ${input.key.toString('base64')}`;
    if (!known.has(question)) known.set(question, read(input));
    return known.get(question);
  };
}

// By the very bytes of what was signed, for each key object.
function checkedOnce(verify) {
  const keys = new WeakMap();
  return (algorithm, data, key, signature, ...more) => {
    const isPlain = key instanceof crypto.KeyObject && Buffer.isBuffer(data) && Buffer.isBuffer(signature);
    if (!isPlain || more.length > 0) return verify(algorithm, data, key, signature, ...more);
    const known = keys.get(key) ?? new Map();
    keys.set(key, known);
    const question = `${algorithm} ${signature.toString('base64')} ${data.toString('base64')}`;
    if (!known.has(question)) known.set(question, verify(algorithm, data, key, signature));
    return known.get(question);
  };
}
