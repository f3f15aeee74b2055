// A key from a passphrase takes half a second and 128 MB, so that nobody can guess many: tests make it by the same function for
// less, and only where the code asked for the whole price (`test/gate/cli.test.ts` pays it). To read a key takes longer than to
// check a signature with it, and tests put the same home in its place hundreds of times: each is read once in a process, by the
// real function, and the answer given again to the same question.
const crypto = require('node:crypto');
const { syncBuiltinESMExports } = require('node:module');

const { scryptSync } = crypto;

if (!scryptSync.real) {
  crypto.scryptSync = (passphrase, salt, length, { N, r, p }) => {
    if (N < 2 ** 17 || r < 8 || p < 1) throw new Error('A passphrase could be guessed for less than it should cost.');
    return scryptSync(passphrase, salt, length, { N: 2, r, p });
  };
  crypto.scryptSync.real = scryptSync;
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
