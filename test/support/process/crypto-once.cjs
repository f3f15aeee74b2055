// A key from a passphrase takes a third of a second, so that nobody can guess many, and to read a key takes longer than to check
// a signature with it. Tests ask for the same ones again and again: each is made once in a process, by the real function, and
// given again to the same question.
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
