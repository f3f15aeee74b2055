/** A file as projects have it, and the one secret in it. */
export interface SecretFile {
  path: string;
  text: string;
  secret: string;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ALNUM = `${LETTERS}0123456789`;
const HEX = '0123456789abcdef';
const SIGNS = `${ALNUM}!@#%^&*()-_=+[]{}<>:,.~|`;

// Made from a seed, so that no scanner of anyone takes this file for one that holds secrets.
function maker(seed: number) {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const of = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[next(alphabet.length)]).join('');
  const base64 = (length: number) => Buffer.from(of(ALNUM, length)).toString('base64');
  const uuid = () => [8, 4, 4, 4, 12].map((length) => of(HEX, length)).join('-');
  const password = () => `${of(LETTERS, 6)}${of('0123456789', 3)}${of('!#%*+~', 1)}${of(LETTERS, 4)}`;
  return { of, base64, uuid, password };
}

/** One value of a kind that a table of forms names by its letter. */
export function secretOfKind(kind: string, seed: number): string {
  const { of, base64, password } = maker(seed * 7_919);
  if (kind === 'K') return of(ALNUM, 32);
  if (kind === 'H') return of(HEX, 40);
  if (kind === 'B') return base64(32);
  if (kind === 'O') return Array.from({ length: 16 }, () => of(HEX, 32)).join('\n');
  return [password(), `Regen${of('0123456789', 4)}${of('!#*', 1)}`, `${of(ALNUM, 4)}7e${of(ALNUM, 10)}`][
    seed % 3
  ] as string;
}

export function secretFiles(seed: number): SecretFile[] {
  const { of, base64, uuid, password } = maker(seed);
  const files: SecretFile[] = [];
  const add = (path: string, secret: string, text: (secret: string) => string): void => {
    files.push({ path: `f${files.length}/${path}`, text: text(secret), secret });
  };
  const yaml = (name: string, key: string, value: string) =>
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\ntype: Opaque\ndata:\n  ${key}: ${value}\n`;

  // Models
  add('train.py', `hf_${of(LETTERS, 34)}`, (s) => `from hub import login\nlogin(token="${s}")\n`);
  add('README.md', `hf_${of(ALNUM, 34)}`, (s) => `Run with \`HF_TOKEN=${s} python train.py\`.\n`);
  add('notebook.ipynb', `hf_${of(LETTERS, 34)}`, (s) => `{"cells":[{"source":["!hub login --token ${s}\\n"]}]}\n`);
  add('config.toml', `sk-proj-${of(ALNUM, 48)}`, (s) => `[model]\nkey = "${s}"\n`);
  add('settings.json', `sk-ant-api03-${of(ALNUM, 80)}`, (s) => `{"anthropic": {"value": "${s}"}}\n`);
  add('run.sh', `gsk_${of(ALNUM, 52)}`, (s) => `export GROQ=${s}\n./run\n`);
  // Kubernetes and its kin
  add('k8s/db.yaml', base64(18), (s) => yaml('db', 'password', s));
  add('k8s/api.yaml', base64(30), (s) => yaml('api', 'api-key', s));
  add('k8s/token.yaml', base64(24), (s) => yaml('ci', 'token', s));
  add('k8s/letters.yaml', Buffer.from(of(LETTERS, 16)).toString('base64'), (s) => yaml('app', 'DB_PASSWORD', s));
  add('k8s/short.yaml', Buffer.from(password()).toString('base64'), (s) => yaml('mail', 'smtp-password', s));
  add('k8s/client.yaml', base64(32), (s) => yaml('oauth', 'client-secret', s));
  add('k8s/plain.yaml', password(), (s) => `kind: Secret\nstringData:\n  password: ${s}\n`);
  add(
    'k8s/docker.yaml',
    Buffer.from(`ci:${password()}`).toString('base64'),
    (s) => `kind: Secret\ndata:\n  auth: ${s}\n`,
  );
  add('k8s/json.json', base64(20), (s) => `{"kind": "Secret", "data": {"password": "${s}"}}\n`);
  add('values.yaml', password(), (s) => `postgresql:\n  auth:\n    postgresPassword: ${s}\n`);
  add('values-prod.yaml', password(), (s) => `redis:\n  password: "${s}"\n`);
  // Frameworks
  add('settings.py', of(SIGNS, 50), (s) => `DEBUG = False\nSECRET_KEY = '${s}'\nALLOWED_HOSTS = []\n`);
  add('local_settings.py', `django-insecure-${of(`${ALNUM}!@#%^&*(-_=+)`, 50)}`, (s) => `SECRET_KEY = "${s}"\n`);
  add('config.py', of(HEX, 64), (s) => `class Config:\n    SECRET_KEY = "${s}"\n`);
  add('flask_app.py', of(SIGNS, 24), (s) => `app = Flask(__name__)\napp.secret_key = '${s}'\n`);
  for (const name of [
    'AUTH_KEY',
    'SECURE_AUTH_KEY',
    'LOGGED_IN_KEY',
    'NONCE_KEY',
    'AUTH_SALT',
    'SECURE_AUTH_SALT',
    'LOGGED_IN_SALT',
    'NONCE_SALT',
  ])
    add(`wp-config-${name}.php`, of(SIGNS, 64), (s) => `<?php\ndefine('${name}', '${s}');\n`);
  add('wp-config.php', password(), (s) => `<?php\ndefine( 'DB_USER', 'shop' );\ndefine( 'DB_PASSWORD', '${s}' );\n`);
  add('secrets.yml', of(HEX, 128), (s) => `production:\n  secret_key_base: ${s}\n`);
  add('master.rb', of(HEX, 32), (s) => `config.secret_key_base = "${s}"\n`);
  add('env.production.txt', `base64:${base64(32)}`, (s) => `APP_NAME=Shop\nAPP_KEY=${s}\nAPP_DEBUG=false\n`);
  add('parameters.yml', of(HEX, 40), (s) => `parameters:\n    secret: ${s}\n`);
  add(
    'application.properties',
    password(),
    (s) => `spring.datasource.username=shop\nspring.datasource.password=${s}\n`,
  );
  add('application.yml', password(), (s) => `spring:\n  datasource:\n    username: shop\n    password: ${s}\n`);
  add('jwt.ts', of(ALNUM, 40), (s) => `const JWT_SECRET = '${s}';\nsign(payload, JWT_SECRET);\n`);
  add('express.js', of(ALNUM, 32), (s) => `app.use(session({ secret: '${s}', resave: false }));\n`);
  add('next-auth.ts', base64(32), (s) => `export const auth = { secret: "${s}" };\n`);
  add('config.exs', of(`${ALNUM}/+`, 64), (s) => `config :shop, ShopWeb.Endpoint,\n  secret_key_base: "${s}"\n`);
  // Fields of configuration files
  add('config.json', password(), (s) => `{\n  "username": "shop",\n  "password": "${s}"\n}\n`);
  add('db.json', password(), (s) => `{"db": {"host": "db", "user": "shop", "password": "${s}"}}\n`);
  add('ormconfig.json', of(LETTERS, 14), (s) => `{"type":"postgres","username":"shop","password":"${s}"}\n`);
  add('mail.json', password(), (s) => `{"smtp": {"auth": {"user": "shop", "pass": "${s}"}}}\n`);
  add('credentials.json', of(ALNUM, 24), (s) => `{"installed": {"client_id": "shop", "client_secret": "${s}"}}\n`);
  add(
    'appsettings.json',
    password(),
    (s) => `{"ConnectionStrings": {"Default": "Server=db;Database=shop;User Id=sa;Password=${s};"}}\n`,
  );
  add(
    'appsettings.Production.json',
    password(),
    (s) => `{"ConnectionStrings":{"Shop":"Host=db;Username=shop;Password=${s}"}}\n`,
  );
  add('web.config', password(), (s) => `<add name="Shop" connectionString="Data Source=db;User ID=shop;Pwd=${s}" />\n`);
  add(
    'settings.xml',
    password(),
    (s) => `<server><id>central</id><username>ci</username><password>${s}</password></server>\n`,
  );
  add('npmrc.txt', `npm_${of(ALNUM, 36)}`, (s) => `//registry.npmjs.org/:_authToken=${s}\n`);
  add('npmrc-old.txt', uuid(), (s) => `//registry.npmjs.org/:_authToken=${s}\n`);
  add('npmrc-auth.txt', Buffer.from(`ci:${password()}`).toString('base64'), (s) => `_auth=${s}\nalways-auth=true\n`);
  add('netrc.txt', password(), (s) => `machine api.shop.io\n  login ci\n  password ${s}\n`);
  add('netrc-line.txt', of(ALNUM, 20), (s) => `machine git.shop.io login ci password ${s}\n`);
  add(
    'docker/config.json',
    Buffer.from(`ci:${password()}`).toString('base64'),
    (s) => `{"auths": {"registry.shop.io": {"auth": "${s}"}}}\n`,
  );
  add('pip.conf', password(), (s) => `[global]\nindex-url = https://ci:${encodeURIComponent(s)}@pypi.shop.io/simple\n`);
  add('pypirc.txt', password(), (s) => `[pypi]\nusername = ci\npassword = ${s}\n`);
  add('my.cnf', password(), (s) => `[client]\nuser=shop\npassword=${s}\n`);
  add('pgpass.txt', password(), (s) => `db.shop.io:5432:shop:shop:${s}\n`);
  add('odbc.ini', password(), (s) => `[Shop]\nUID=shop\nPWD=${s}\n`);
  add('prod-values.hcl', password(), (s) => `region      = "eu-west-1"\ndb_password = "${s}"\n`);
  add('tokens.hcl', of(ALNUM, 32), (s) => `api_token = "${s}"\n`);
  add('main.tf', of(`${ALNUM}/+`, 40), (s) => `provider "aws" {\n  secret_key = "${s}"\n}\n`);
  add(
    'aws.txt',
    of(`${ALNUM}/+`, 40),
    (s) =>
      `[default]\naws_access_key_id = AK${'IA'}${of('ABCDEFGHIJKLMNOP234567', 16)}\naws_secret_access_key = ${s}\n`,
  );
  add('docker-compose.yml', password(), (s) => `services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: ${s}\n`);
  add('compose-list.yml', password(), (s) => `services:\n  db:\n    environment:\n      - MYSQL_ROOT_PASSWORD=${s}\n`);
  add('Dockerfile', of(ALNUM, 32), (s) => `FROM node\nENV API_TOKEN=${s}\n`);
  add('ci.yml', of(ALNUM, 40), (s) => `env:\n  SONAR_TOKEN: ${s}\n`);
  add('ansible/vars.yml', password(), (s) => `mysql_root_password: "${s}"\n`);
  add('inventory.ini', password(), (s) => `db1 ansible_user=root ansible_ssh_pass=${s}\n`);
  // Addresses and clouds
  add(
    'notify.py',
    `T${of('ABCDEFGH0123', 8)}/B${of('ABCDEFGH0123', 8)}/${of(ALNUM, 24)}`,
    (s) => `URL = "https://hooks.slack.com/services/${s}"\n`,
  );
  add(
    'discord.js',
    `${of('123456789', 18)}/${of(ALNUM, 68)}`,
    (s) => `const url = 'https://discord.com/api/webhooks/${s}';\n`,
  );
  add(
    'storage.cs',
    base64(64),
    (s) =>
      `var c = "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${s};EndpointSuffix=core.windows.net";\n`,
  );
  add(
    'bus.json',
    base64(32),
    (s) => `{"bus": "Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${s}"}\n`,
  );
  add('azure.txt', `${of(ALNUM, 3)}8Q~${of(ALNUM, 34)}`, (s) => `AZURE_CLIENT_SECRET=${s}\n`);
  add('cosmos.ts', base64(64), (s) => `const client = new CosmosClient({ endpoint, key: "${s}" });\n`);
  add(
    'mongo.js',
    password(),
    (s) => `mongoose.connect('mongodb+srv://shop:${encodeURIComponent(s)}@cluster0.shop.mongodb.net/shop');\n`,
  );
  add(
    'database.yml',
    password(),
    (s) => `production:\n  url: postgres://shop:${encodeURIComponent(s)}@db.shop.io/shop\n`,
  );
  add('celery.py', password(), (s) => `BROKER_URL = "amqp://shop:${encodeURIComponent(s)}@mq.shop.io//"\n`);
  add('client.go', `ghp_${of(ALNUM, 36)}`, (s) => `const tok = "${s}"\n`);
  add('deploy.rb', `glpat-${of(ALNUM, 20)}`, (s) => `gitlab '${s}'\n`);
  add(
    'maps.html',
    `AI${'za'}${of(ALNUM, 35)}`,
    (s) => `<script src="https://maps.googleapis.com/maps/api/js?key=${s}"></script>\n`,
  );
  add('twilio.py', of(HEX, 32), (s) => `auth_token = "${s}"\nclient = Client(sid, auth_token)\n`);
  add('mailer.php', `SG.${of(ALNUM, 22)}.${of(ALNUM, 43)}`, (s) => `$mail = new Mail('${s}');\n`);
  add('pay.rb', `sk_live_${of(ALNUM, 24)}`, (s) => `Stripe.api_key = '${s}'\n`);
  add('curl.sh', of(ALNUM, 40), (s) => `curl -H "Authorization: Bearer ${s}" https://api.shop.io\n`);
  add(
    'basic.sh',
    Buffer.from(`ci:${password()}`).toString('base64'),
    (s) => `curl -H 'Authorization: Basic ${s}' https://api.shop.io\n`,
  );
  add('user.sh', password(), (s) => `curl -u "ci:${s}" https://api.shop.io\n`);
  add('sentry.properties', of(HEX, 64), (s) => `auth.token=${s}\n`);
  add('gradle.properties', password(), (s) => `keystorePassword=${s}\nkeyAlias=shop\n`);
  add('signing.gradle', password(), (s) => `signingConfigs { release { storePassword "${s}" } }\n`);
  return files.map((file) => ({
    ...file,
    secret: file.text.includes(file.secret) ? file.secret : encodeURIComponent(file.secret),
  }));
}

/** What is where a secret would be, in the same kinds of files. */
export const NO_SECRETS: readonly { path: string; text: string }[] = [
  'changeme',
  'change-me',
  '${DB_PASSWORD}',
  'process.env.DB_PASSWORD',
  '<your key>',
  '<your-password>',
  'your_password_here',
  '{{ .Values.password }}',
  'xxxxxxxx',
  '********',
  '$DB_PASSWORD',
  'env("DB_PASSWORD")',
  'example',
  'REPLACE_ME',
]
  .flatMap((value, at) => [
    { path: `n${at}/config.json`, text: `{"user": "shop", "password": "${value.replaceAll('"', '\\"')}"}\n` },
    { path: `n${at}/settings.py`, text: `SECRET_KEY = '${value}'\n` },
    { path: `n${at}/wp-config.php`, text: `<?php\ndefine('AUTH_KEY', '${value}');\n` },
    { path: `n${at}/env.txt`, text: `APP_KEY=${value}\nDB_PASSWORD=${value}\n` },
    { path: `n${at}/prod-values.hcl`, text: `db_password = "${value}"\n` },
    { path: `n${at}/k8s.yaml`, text: `kind: Secret\ndata:\n  password: ${value}\n` },
  ])
  .concat([
    { path: 'p0/wp-config-sample.php', text: "<?php\ndefine( 'AUTH_KEY', 'put your unique phrase here' );\n" },
    { path: 'p1/k8s.yaml', text: `kind: Secret\ndata:\n  password: ${Buffer.from('changeme').toString('base64')}\n` },
    { path: 'p2/k8s.yaml', text: `kind: ConfigMap\ndata:\n  mode: ${Buffer.from('production').toString('base64')}\n` },
    { path: 'p3/settings.py', text: "SECRET_KEY = os.environ['SECRET_KEY']\nSECRET_KEY = get_random_secret_key()\n" },
    {
      path: 'p4/tokens.py',
      text: 'hf_token_is_needed_to_download_the_model = True\nhf_model_download_everything_again_now()\n',
    },
    { path: 'p5/npmrc.txt', text: '//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n' },
    {
      path: 'p6/netrc.md',
      text: 'Give the machine, the login and a password: machine HOST login USER password PASSWORD\n',
    },
    {
      path: 'p7/form.json',
      text: '{"password": "Password", "passwordHint": "At least 8 characters", "token": "Token"}\n',
    },
    { path: 'p8/schema.json', text: '{"properties": {"password": {"type": "string", "minLength": 8}}}\n' },
  ]);
