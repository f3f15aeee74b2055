// Test data. Every secret is put together at run time, so that no literal here looks live to a repository scanner.
export type PlantedSecret = { title: string; text: string; secret: string };

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();

// A fixed sequence that looks random: the same characters in every run.
function noise(length: number, alphabet: string, seed = 7): string {
  let state = seed;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += alphabet[Math.floor((state / 2_147_483_648) * alphabet.length)];
  }
  return text;
}

const alnum = (length: number, seed?: number) => noise(length, LOWER + UPPER + DIGITS, seed);
export const hex = (length: number, seed?: number) => noise(length, `${DIGITS}abcdef`, seed);
export const base64 = (length: number, seed?: number) => noise(length, `${LOWER + UPPER + DIGITS}+/`, seed);
export const pem = (edge: 'BEGIN' | 'END', type = 'RSA ') => ['-----', edge, ` ${type}PRIVATE`, ' KEY-----'].join('');

const pw = ['hun', 'ter', '2x9'].join('');
const phrase = ['Harbor', 'Velvet', '585'].join('-');
const strong = ['V7#', 'qLm', '!t2zR'].join('');
const awsId = ['AK', 'IA', noise(16, `${UPPER}234567`)].join('');
const awsSecret = base64(40, 3);
const body = [1, 2, 3].map((seed) => base64(64, seed)).join('\n');
const jwt = [`ey${'J'}${alnum(30, 1)}`, `ey${'J'}${alnum(60, 2)}`, alnum(43, 3)].join('.');
const basic = btoa(`alice:${pw}`);

function planted(title: string, secret: string, text: (secret: string) => string): PlantedSecret {
  return { title, secret, text: text(secret) };
}

export const PLANTED: PlantedSecret[] = [
  planted('an AWS key id in prose', awsId, (s) => `the deploy user has ${s}, ask Kim`),
  planted('a temporary AWS key id', `AS${'IA'}${noise(16, UPPER + DIGITS, 5)}`, (s) => `id=${s}`),
  planted('an AWS key id after an escaped line end', awsId, (s) => `{"log":"keys:\\n${s}\\n"}`),
  planted('an AWS secret key in an env file', awsSecret, (s) => `AWS_SECRET_ACCESS_KEY=${s}\nAWS_REGION=eu-west-1`),
  planted('an AWS secret key in JSON', awsSecret, (s) => `{"SecretAccessKey": "${s}"}`),
  planted('a password said in a sentence', `${pw}Q`, (s) => `The database password is ${s}, ask Kim.`),
  planted('a password that is to be used', `${pw}Q`, (s) => `From now on use the password \`${s}\` for staging.`),
  planted('a password in an env file', pw, (s) => `DB_HOST=localhost\nDB_PASSWORD=${s}\n`),
  planted('a password of letters in an env file', ['sword', 'fish'].join(''), (s) => `PASSWORD=${s}\n`),
  planted('a short numeric password', ['12', '34'].join(''), (s) => `password=${s}`),
  planted('a shell export in quotes', strong, (s) => `export PGPASSWORD='${s}'`),
  planted('a YAML password', pw, (s) => `db:\n  user: app\n  password: ${s}\n`),
  planted('a YAML password of letters', ['sword', 'fish'].join(''), (s) => `db:\n  password: ${s}\n`),
  planted('a YAML password in quotes', strong, (s) => `password: "${s}" # rotate`),
  planted('a YAML block scalar', strong, (s) => `password: |\n  ${s}\nuser: x`),
  planted('passwd with a colon', pw, (s) => `passwd: ${s}`),
  planted('pwd in a connection string', pw, (s) => `Server=db;User Id=sa;Pwd=${s};Encrypt=true`),
  planted('Password in an ADO string', pw, (s) => `Data Source=x;Password=${s};Timeout=5`),
  planted('a dotted key', pw, (s) => `spring.datasource.password=${s}`),
  planted('a dotted key with a colon', pw, (s) => `db.password: ${s}`),
  planted('a JSON password', strong, (s) => `{"user":"a","password":"${s}"}`),
  planted('a nested JSON password', strong, (s) => `{"db":{"primary":{"dbPassword": "${s}"}}}`),
  planted('an escaped JSON password', pw, (s) => JSON.stringify({ body: JSON.stringify({ password: s, n: 1 }) })),
  planted('a twice escaped JSON password', pw, (s) =>
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ password: s }) }) }),
  ),
  planted('a JSON array of name and value', pw, (s) => `[{"name":"DB_PASSWORD","value":"${s}"}]`),
  planted('a YAML pair of name and value', pw, (s) => `env:\n  - name: DB_PASSWORD\n    value: ${s}\n`),
  planted('a TOML password', strong, (s) => `[database]\npassword = "${s}"\n`),
  planted('an INI password with blanks', pw, (s) => `[mysql]\npassword = ${s}\n`),
  planted('an XML password', pw, (s) => `<server><password>${s}</password></server>`),
  planted('a command line option', pw, (s) => `mysql --user root --password ${s} app`),
  planted('a command line option with =', pw, (s) => `tool --db-password=${s} --verbose`),
  planted('a password in a sentence', pw, (s) => `For staging the password is ${s}.`),
  planted('a password after a Markdown label', pw, (s) => `- **Password:** ${s}\n`),
  planted('a password in a Markdown table', pw, (s) => `| user | bob |\n| password | ${s} |\n`),
  planted('a password in Markdown code', pw, (s) => `password: \`${s}\``),
  planted('a Go assignment', pw, (s) => `password := "${s}"`),
  planted('a Ruby hash', pw, (s) => `:password => '${s}',`),
  planted('a TypeScript constant', strong, (s) => `const dbPassword: string = 'a';\nconst adminPassword = '${s}';`),
  planted('a comparison', pw, (s) => `if (password === '${s}') {`),
  planted('a keyword argument', pw, (s) => `connect(host="h", password="${s}")`),
  planted('a passphrase of words', ['correct', 'horse', 'battery', 'staple'].join(' '), (s) => `passphrase: "${s}"`),
  planted('a German label', pw, (s) => `Passwort: ${s}`),
  planted('a Chinese label with a wide colon', pw, (s) => `数据库密码：${s}`),
  planted('SQL', pw, (s) => `CREATE USER app WITH PASSWORD '${s}';`),
  planted('a client secret', alnum(32, 4), (s) => `client_secret: ${s}`),
  planted('a camelCase client secret', alnum(32, 4), (s) => `{ clientSecret: '${s}' }`),
  planted('an API key', hex(32, 8), (s) => `api_key=${s}`),
  planted('an API key in prose', hex(32, 8), (s) => `The API key: ${s} (valid until May)`),
  planted('an API key in a header', alnum(32, 9), (s) => `GET / HTTP/1.1\r\nX-Api-Key: ${s}\r\n`),
  planted('an API key in a query', alnum(24, 9), (s) => `https://api.host.io/v1?apikey=${s}&page=2`),
  planted('an access token', alnum(40, 10), (s) => `"access_token" : "${s}"`),
  planted('an auth token', alnum(40, 10), (s) => `auth_token: ${s}`),
  planted('a refresh token in a form', alnum(40, 11), (s) => `grant_type=refresh&refresh_token=${s}&scope=a`),
  planted(
    'a UUID as a token',
    `${hex(8, 31)}-${hex(4, 32)}-4${hex(3, 33)}-a${hex(3, 34)}-${hex(12, 35)}`,
    (s) => `HEROKU_API_KEY=${s}`,
  ),
  planted('a numbered environment name', alnum(24, 12), (s) => `SERVICE_TOKEN_PROD="${s}"`),
  planted('an npm auth line', alnum(36, 13), (s) => `//registry.npmjs.org/:_authToken=${s}`),
  planted('a random value under a weak name', alnum(40, 14), (s) => `credential: "${s}"`),
  planted('an Authorization header with Bearer', alnum(40, 15), (s) => `Authorization: Bearer ${s}`),
  planted('Bearer in a curl call', alnum(40, 15), (s) => `curl -H "Authorization: Bearer ${s}" https://x.io`),
  planted('Bearer in JSON', alnum(40, 15), (s) => `{"headers":{"authorization":"Bearer ${s}"}}`),
  planted('an Authorization header with Basic', basic, (s) => `authorization: Basic ${s}`),
  planted('a curl user', pw, (s) => `curl -s -u alice:${s} https://x.io`),
  planted('a Cookie header', alnum(32, 16), (s) => `Cookie: sid=${s}; theme=dark\nHost: x`),
  planted('a Set-Cookie header', alnum(32, 16), (s) => `Set-Cookie: session=${s}; Path=/; HttpOnly\n`),
  planted('a Postgres address', pw, (s) => `postgres://app:${s}@db.internal:5432/app`),
  planted('a Mongo address', strong.replace('#', ''), (s) => `mongodb+srv://app:${s}@c0.mongodb.net/x?retry=true`),
  planted('a Redis address without user', pw, (s) => `REDIS_URL=redis://:${s}@cache:6379/0`),
  planted('an HTTPS address', pw, (s) => `git clone https://bob:${s}@git.host.io/r.git`),
  planted('a token as the user of an address', hex(40, 2), (s) => `https://${s}@git.host.io/r.git`),
  planted('a JWT', jwt, (s) => `the cookie was ${s} yesterday`),
  planted('a JWT cut in its signature', jwt.slice(0, -30), (s) => `got ${s}`),
  planted('a whole PEM block', `${pem('BEGIN')}\n${body}\n${pem('END')}`, (s) => `key:\n${s}\nthanks`),
  planted('an OpenSSH block', `${pem('BEGIN', 'OPENSSH ')}\n${body}\n${pem('END', 'OPENSSH ')}`, (s) => `${s}\n`),
  planted('a PKCS 8 block', `${pem('BEGIN', '')}\n${body}\n${pem('END', '')}`, (s) => s),
  planted('a PEM block without END', `${pem('BEGIN')}\n${body}`, (s) => `${s}\nand that is all I have`),
  planted('a PEM block cut in its body', `${pem('BEGIN', 'EC ')}\n${body.slice(0, 90)}`, (s) => s),
  planted('a PEM block cut in END', `${pem('BEGIN')}\n${body}\n${pem('END').slice(0, 12)}`, (s) => s),
  planted('a PEM block without BEGIN', `${body.slice(70)}\n${pem('END')}`, (s) => `...\n${s}\n`),
  planted(
    'a PEM block in JSON',
    [pem('BEGIN', ''), ...body.split('\n'), pem('END', '')].join('\\n'),
    (s) => `{"k":"${s}\\n"}`,
  ),
  planted(
    'a quoted PEM block',
    `${pem('BEGIN')}\n> ${body.replaceAll('\n', '\n> ')}\n> ${pem('END')}`,
    (s) => `> ${s}`,
  ),
  planted('a GitHub token', `gh${'p_'}${alnum(36)}`, (s) => `use ${s} for now`),
  planted('a fine-grained GitHub token', `github${'_pat_'}${alnum(82)}`, (s) => `GH=${s}`),
  planted('a GitLab token', `gl${'pat-'}${alnum(20)}`, (s) => `token ${s}`),
  planted('a Slack token', `xo${'xb-'}${noise(12, DIGITS)}-${noise(12, DIGITS, 3)}-${alnum(24)}`, (s) => `SLACK: ${s}`),
  planted('a Slack webhook', `T${alnum(9)}/B${alnum(9)}/${alnum(24)}`, (s) => `https://hooks.slack.com/services/${s}`),
  planted('a Stripe key', `sk${'_live_'}${alnum(24)}`, (s) => `stripe(${s})`),
  planted('a Google API key', `AI${'za'}${alnum(35)}`, (s) => `maps?key=${s}`),
  planted('an Anthropic key', `sk${'-ant-'}api03-${alnum(93)}AA`, (s) => `key ${s}`),
  planted('an OpenAI project key', `sk${'-proj-'}${alnum(60)}`, (s) => `key ${s}`),
  planted('an old OpenAI key', `sk${'-'}${alnum(48)}`, (s) => `key ${s}`),
  planted('an npm token', `npm${'_'}${alnum(36)}`, (s) => `publish with ${s}`),
  planted('an Azure storage key', `${base64(86)}==`, (s) => `AccountName=a;AccountKey=${s};EndpointSuffix=core`),
  planted('an Azure shared signature', `${alnum(43)}%3D`, (s) => `https://a.blob.core.windows.net/c?sv=2024&sig=${s}`),
  planted('a SendGrid key', `SG${'.'}${alnum(22)}.${alnum(43, 3)}`, (s) => `mail via ${s}`),
  planted('a Telegram token', `${noise(9, '123456789')}:AA${alnum(33)}`, (s) => `bot ${s}`),
  planted('a Vault token', `hv${'s.'}${alnum(95)}`, (s) => `VAULT ${s}`),
  planted('a Terraform default', alnum(14, 21), (s) => `variable "db_password" { default = "${s}" }`),
  planted('a Rails key base', hex(64, 22), (s) => `secret_key_base: ${s}`),
  planted(
    'a JDBC query of letters',
    ['FzpJzT', 'adkFdp'].join(''),
    (s) => `jdbc:postgresql://h/d?user=a&password=${s}`,
  ),
  planted('a form in a form', alnum(12, 23), (s) => `body=user%3Dbob%26password%3D${s}%26x%3D1`),
  planted('a netrc line', pw, (s) => `machine h login bob password ${s}\n`),
  planted('a Dockerfile line', pw, (s) => `ENV MYSQL_ROOT_PASSWORD ${s}`),
  planted('a wallet phrase', 'legal winner thank year wave sausage'.split(' ').join(' '), (s) => `mnemonic: "${s}"`),
  planted('an Authorization header with token', alnum(40, 24), (s) => `Authorization: token ${s}`),
  planted('a client secret in a sentence', alnum(24, 25), (s) => `Client secret is ${s}.`),
  planted('a password with a quote inside', ['a"b9', 'c1d2'].join(''), (s) => `SMTP_PASSWORD=${s}\n`),
  planted('a password that looks like a name', ['My', 'Dog', 'Rex'].join(''), (s) => `password: ${s}\n`),
  planted('a password that looks like a call', ['abc(', 'def)9'].join(''), (s) => `DB_PASS=${s}\n`),
  planted('a password that starts like a variable', ['$ec', 'ret1!'].join(''), (s) => `password=${s}`),
  planted('a password list in YAML', alnum(12, 26), (s) => `passwords:\n  - ${s}\nusers: 3`),
  planted('a key list in TOML', hex(32, 27), (s) => `api_keys = ["${s}"]`),
  planted('a Dockerfile argument', alnum(32, 28), (s) => `ARG SENTRY_AUTH_TOKEN=${s}\n`),
  planted('a password of three words', phrase, (s) => `ENV DB_PASSWORD ${s}\n`),
  planted('a user of Redis', strong, (s) => `user worker on >${s} ~jobs:* +@all\n`),
  planted('a password of a sentinel', strong, (s) => `sentinel auth-pass mymaster ${s}\n`),
  planted('a map in Scala', pw, (s) => `Map("user" -> "app", "password" -> "${s}")`),
  planted('a variable in R', alnum(32, 29), (s) => `Sys.setenv(WEATHER = "${s}")`),
  planted('an assignment in R', pw, (s) => `db_password <- "${s}"`),
  planted('a login of a code scanner', hex(40, 30), (s) => `sonar.login=${s}\n`),
  planted('letters for a key store', strong, (s) => `ks.load(in, "${s}".toCharArray());`),
  planted('a login to Vault', `s.${alnum(24, 31)}`, (s) => `vault login ${s}\n`),
  planted('a value under secrets in YAML', alnum(40, 32), (s) => `secrets:\n  stripe: ${s}\nport: 80\n`),
  planted('a session in YAML', hex(64, 33), (s) => `cookie:\n  session: ${s}\n`),
  planted('a password of a host for samples', alnum(16, 34), (s) => `postgres://app:${s}@db.acme.example/app`),
  planted('a password that begins as a mark', ['%d#s', 'oQs^', '1lIC'].join(''), (s) => `DB_PASSWORD: ${s}\n`),
  planted('a password in a handbook', strong, (s) => `user \`demo\` and password \`${s}\``),
  planted('a client that is made with a key', alnum(40, 35), (s) => `datadog.NewClient("${s}", id)`),
  planted('a key of a shop', hex(32, 36), (s) => `['crypt' => ['key' => '${s}']]`),
  planted('a request collection', alnum(40, 37), (s) => `[{"key":"value","value":"${s}"}]`),
  planted('a pair in Kotlin', pw, (s) => `mapOf("user" to "app", "password" to "${s}")`),
  planted('a personal token', alnum(40, 38), (s) => `GITHUB_PAT=${s}\n`),
];
