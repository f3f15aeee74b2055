// How projects write a secret, one form a line: the kind of its value, then the text with § in its place and \n for a line end.
// P: a password, K: letters and digits, H: hex, B: base64, O: sixteen lines of hex.
const FORMS = String.raw`
P password = '''\n§'''\n
P DB_PASSWORD = """\n§"""\n
P DB_PASSWORD = """\n§\n"""\n
P password=$(cat <<X\n§\nX\n)\n
P password = (\n    "§"\n)\n
P {"password":\n  "§"}\n
P password =\n    "§";\n
K const apiSecret =\n  "§";\n
K const apiSecret: string =\n  "§";\n
P client_secret:\n  '§'\n
P apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\nstringData:\n  license: §\n  host: db.shop.io\n
B 'cipher' => 'AES-256-CBC',\n'key' => 'base64:§',\n
P mysqldump -u shop -p§ shop > dump.sql\n
P mysql -h db -ushop -p'§' shop < dump.sql\n
K app.use(session({ secret: '§', resave: false }));\n
P const t = jwt.sign({ id: user.id }, '§', { expiresIn: '1h' });\n
P FROM node:22\nENV DB_PASSWORD §\nCMD ["node", "."]\n
P sshpass -p '§' ssh deploy@web1.shop.io uptime\n
P ansible_user: deploy\nansible_ssh_pass: §\n
P ansible_become_pass: "§"\n
P $pw = ConvertTo-SecureString '§' -AsPlainText -Force\n
P Connection c = DriverManager.getConnection(url, "shop", "§");\n
P CREATE USER shop WITH PASSWORD '§';\n
P CREATE USER 'shop'@'%' IDENTIFIED BY '§';\n
P production:\n  password: <%= ENV['DB_PASSWORD'] || '§' %>\n
P password = ENV.fetch('DB_PASSWORD', '§')\n
H Devise.setup do |config|\n  config.pepper = '§'\nend\n
P http_basic_authenticate_with name: "ops", password: "§"\n
H provider :github, 'a7f3shop', '§'\n
P DATABASES = {'default': {'USER': 'shop', 'PASSWORD': '§'}}\n
P EMAIL_HOST_PASSWORD = '§'\n
P User.objects.create_superuser('admin', 'ops@shop.io', '§')\n
K KEY = os.environ.get('DJANGO_SECRET', '§')\n
K @Value("$‵{jwt.secret:§}")\nprivate String signer;\n
P auth.inMemoryAuthentication().withUser("admin").password("{noop}§").roles("ADMIN");\n
P <property name="password" value="§"/>\n
P store.load(in, "§".toCharArray());\n
P return new PasswordAuthentication("shop", "§");\n
K String t = Jwts.builder().setSubject(id).signWith(SignatureAlgorithm.HS256, "§").compact();\n
P client.Credentials = new NetworkCredential("shop", "§");\n
K var key = new SymmetricSecurityKey(Encoding.UTF8.GetBytes("§"));\n
H <machineKey validationKey="§" validation="SHA1" />\n
P <add key="SmtpPassword" value="§" />\n
K {"Jwt": {"Issuer": "shop", "Key": "§"}}\n
P auth := smtp.PlainAuth("", "shop@shop.io", "§", "smtp.shop.io")\n
P req.SetBasicAuth("shop", "§")\n
K var store = sessions.NewCookieStore([]byte("§"))\n
P rdb := redis.NewClient(&redis.Options{Addr: "cache:6379", Password: "§"})\n
K mac := hmac.New(sha256.New, []byte("§"))\n
K secret := getEnv("JWT_SECRET", "§")\n
P s, err := token.SignedString([]byte("§"))\n
K let key = EncodingKey::from_secret(b"§");\n
P let creds = Credentials::new("shop".to_string(), "§".to_string());\n
P client.get(url).basic_auth("shop", Some("§")).send()?;\n
P export const a = { password: process.env.DB_CREDS || '§' };\n
P const b = { password: config.get('db') ?? '§' };\n
P const c = { password: isDev ? '§' : given };\n
P const password = settings.db || '§';\n
K const secret = import.meta.env.S ?? "§";\n
P password = ENV.fetch("DB") { "§" }\n
P let pw = std::env::var("DB_PASSWORD").unwrap_or("§".into());\n
P $db = new PDO('mysql:host=db;dbname=shop', 'shop', '§');\n
P $link = mysqli_connect('db', 'shop', '§', 'shop');\n
K $cfg['blowfish_secret'] = '§';\n
P 'password' => env('DB_PASSWORD', '§'),\n
P $mail->Password = '§';\n
K $jwt = JWT::encode($payload, '§', 'HS256');\n
K $out = openssl_encrypt($data, 'aes-256-cbc', '§', 0, $iv);\n
P ftp_login($conn, 'shop', '§');\n
P ldap_bind($link, 'cn=admin,dc=shop,dc=io', '§');\n
P openssl enc -aes-256-cbc -salt -in a.tar -out a.enc -k §\n
P openssl pkcs12 -in a.p12 -out a.pem -passin pass:§\n
P echo '§' | sudo -S systemctl restart shop\n
P echo "deploy:§" | chpasswd\n
P redis-cli -h cache -a § FLUSHALL\n
P docker login -u ci -p § registry.shop.io\n
K az login --service-principal -u http://shop -p § --tenant shop\n
P ldapsearch -x -D "cn=admin,dc=shop,dc=io" -w § -b dc=shop\n
P mongodump --host db -u shop -p '§' --out /backup\n
P sqlcmd -S db -U sa -P "§" -i a.sql\n
P zip -r -P § backup.zip data\n
P 7z a -p§ backup.7z data\n
P gpg --batch --passphrase "§" -c dump.sql\n
P jarsigner -keystore shop.jks -storepass § app.jar shop\n
P set DB_PASSWORD=§\n
K setx API_TOKEN §\n
K $env:API_KEY = "§"\n
K set -gx GITHUB_TOKEN §\n
P htpasswd -b -c .htpasswd admin §\n
P lftp -u shop,§ ftp.shop.io -e "mirror; quit"\n
P smbclient //nas/share -U 'shop%§' -c 'ls'\n
P mount -t cifs //nas/share /mnt -o username=shop,password=§\n
P expect "assword:"\nsend "§\\r"\n
P - uses: docker/login-action@v3\n  with:\n    username: ci\n    password: §\n
P variables:\n  DEPLOY_PASS: "§"\n
K npm config set //npm.shop.io/:_authToken §\n
P - mysql_user:\n    name: shop\n    login_password: §\n
P web1 ansible_host=10.0.0.5 ansible_user=ops ansible_password=§\n
P helm install db bitnami/postgresql --set auth.postgresPassword=§\n
P grafana:\n  adminPassword: §\n
P variable "db_password" {\n  type      = string\n  sensitive = true\n  default   = "§"\n}\n
P resource "aws_db_instance" "db" {\n  username = "shop"\n  password = "§"\n}\n
P export TF_VAR_db_password='§'\n
K ARG NPM_TOKEN=§\nRUN npm ci\n
P RUN echo 'root:§' | chpasswd\n
P services:\n  cache:\n    command: redis-server --requirepass §\n
P docker run -d -e MYSQL_ROOT_PASSWORD=§ mysql:8\n
K location / {\n  proxy_set_header X-Api-Key "§";\n}\n
P listen stats\n  stats auth admin:§\n
P userlist ops\n  user admin insecure-password §\n
P [smtp.shop.io]:587 shop@shop.io:§\n
P connect = host=db dbname=mail user=mail password=§\n
P account shop\nhost smtp.shop.io\nuser shop\npassword §\n
P set imap_user=shop\nset imap_pass="§"\n
P poll mail.shop.io proto imap user "shop" password "§"\n
P port 6379\nrequirepass §\n
P replicaof db 6379\nmasterauth §\n
P GRANT ALL ON shop.* TO 'shop'@'%' IDENTIFIED BY '§' WITH GRANT OPTION;\n
P ALTER USER 'root'@'localhost' IDENTIFIED WITH mysql_native_password BY '§';\n
P CREATE LOGIN shop WITH PASSWORD = N'§';\n
P SET PASSWORD FOR 'shop'@'%' = PASSWORD('§');\n
P CREATE USER MAPPING FOR shop SERVER s OPTIONS (user 'shop', password '§');\n
P db.createUser({ user: 'shop', pwd: '§', roles: ['readWrite'] });\n
P db.auth('shop', '§');\n
P "shop" "§"\n
P sqlplus shop/§@//db:1521/SHOP @run.sql\n
P driver = GraphDatabase.driver(uri, auth=("neo4j", "§"))\n
P NEO4J_AUTH=neo4j/§\n
P conn = psycopg2.connect("dbname=shop user=shop password=§ host=db")\n
P db = MySQLdb.connect("db", "shop", "§", "shop")\n
P r = requests.get(url, auth=('shop', '§'))\n
P auth = HTTPBasicAuth("shop", "§")\n
P server.login("shop@shop.io", "§")\n
P ssh.connect(host, username="ops", password="§")\n
B f = Fernet(b"§")\n
P t = jwt.encode({"id": 1}, "§", algorithm="HS256")\n
K s = URLSafeTimedSerializer("§")\n
P app.use(cookieParser('§'));\n
K const sig = crypto.createHmac('sha256', '§').update(body).digest('hex');\n
K const c = crypto.createCipheriv('aes-256-cbc', '§', iv);\n
K app.use(cookieSession({ name: 'session', keys: ['§'] }));\n
P const db = new Sequelize('shop', 'shop', '§', { dialect: 'mysql' });\n
P const secret = process.env.JWT_SECRET || '§';\n
K export const key = process.env.SIGNING_KEY ?? "§";\n
P PlayerSettings.Android.keystorePass = "§";\n
P [/Script/AndroidRuntimeSettings]\nKeyStorePassword=§\n
P [preset.0.options]\nkeystore/release_password="§"\n
H script_encryption_key="§"\n
P enable-rcon=true\nrcon.password=§\n
P hostname "Shop"\nrcon_password "§"\n
P steamcmd +login shopbuild § +app_update 740\n
H <key>FacebookClientSecret</key>\n<string>§</string>\n
K <string name="api_secret">§</string>\n
P ENV["FASTLANE_PASSWORD"] = "§"\n
K buildConfigField("String", "API_KEY", "\\"§\\"")\n
K static let apiKey = "§"\n
K #define kApiSecret @"§"\n
P WiFi.begin("shop-wlan", "§");\n
P const char* password = "§";\n
P network={\n  ssid="shop"\n  psk="§"\n}\n
P shop * § *\n
P : PSK "§"\n
P username ops privilege 15 password 0 §\n
B [Interface]\nAddress = 10.0.0.1/24\nPrivateKey = §\n
B key "rndc-key" {\n  algorithm hmac-sha256;\n  secret "§";\n};\n
P client nas {\n  secret = §\n}\n
P <user username="admin" password="§" roles="manager-gui"/>\n
P credentials += Credentials("Nexus", "nexus.shop.io", "ci", "§")\n
K secret_key = §\n
P [nas]\ntype = sftp\npass = §\n
P [security]\nadmin_password = §\n
P basic_auth:\n  username: shop\n  password: §\n
P sasl.jaas.config=org.apache.kafka.PlainLoginModule required username="shop" password="§";\n
P elasticsearch {\n  user => "shop"\n  password => "§"\n}\n
P config.ssh.password = "§"\n
P chpasswd:\n  list: |\n    root:§\n  expire: false\n
P ssh_username = "ops"\nssh_password = "§"\n
P Properties:\n  MasterUsername: shop\n  MasterUserPassword: §\n
P my $dbh = DBI->connect($dsn, 'shop', '§');\n
P con <- dbConnect(MySQL(), user = "shop", password = "§")\n
P [{shop, [{db_password, "§"}]}].\n
P {:user "shop" :password "§"}\n
P Connection.Password := '§';\n
K (setq openai-api-key "§")\n
B [core]\nfernet_key = §\n
K c.NotebookApp.token = '§'\n
K config :shop, ShopWeb.Endpoint, live_view: [signing_salt: "§"]\n
H 'Security' => ['salt' => '§'],\n
K 'request' => ['cookieValidationKey' => '§'],\n
K $settings['hash_salt'] = '§';\n
K public $secret = '§';\n
K $config['encryption_key'] = '§';\n
P $CFG->dbpass    = '§';\n
P $dbpasswd = '§';\n
H OTP_SECRET=§\n
P Driver d = GraphDatabase.driver(uri, AuthTokens.basic("neo4j", "§"));\n
P DB_URL="jdbc:mysql://db/shop?user=shop&password=§"\n
P : "$‵{DB_PASSWORD:=§}"\n
P environment:\n  DB_PASSWORD: $‵{DB_PASSWORD:-§}\n
P plink -ssh ops@web1 -pw § uptime\n
P xfreerdp /v:web1 /u:ops /p:§\n
P cmdkey /add:web1 /user:ops /pass:§\n
P rabbitmqctl add_user shop §\n
P snmpwalk -v3 -l authPriv -u shop -a SHA -A § web1\n
P vault_db_password: '§'\n
P wp user create ops ops@shop.io --user_pass=§\n
P PGPASSWORD='§' psql -h db -U shop\n
P await page.fill('#password', '§');\n
P driver.find_element(By.ID, "password").send_keys("§")\n
P WinRM::Connection.new(endpoint: url, user: 'ops', password: '§')\n
P set :ssh_options, { user: 'ops', password: '§' }\n
P knife[:vsphere_pass] = '§'\n
P session.setPassword("§")\n
P val credentials = Credentials.basic("shop", "§")\n
P axios.get(url, { auth: { username: 'shop', password: '§' } })\n
K headers: { 'X-Auth-Token': '§' }\n
K headers = {"x-functions-key": "§"}\n
K 'x-hasura-admin-secret': '§',\n
K https://api.shop.io/v1/items?api_key=§&page=2\n
H wget "https://ci.shop.io/job/build?token=§"\n
H const client = algoliasearch('SHOPAPP', '§');\n
H const client = require('twilio')(accountSid, '§');\n
H new Pusher({ appId: '1', key: 'shop', secret: '§' });\n
K cloudinary.config({ cloud_name: 'shop', api_secret: '§' });\n
K createClient("https://shop.supabase.co", "§")\n
O -----BEGIN OpenVPN Static key V1-----\n§\n-----END OpenVPN Static key V1-----\n
`;

// Passages of ordinary source in which nothing is a secret.
const ORDINARY = String.raw`
password:\n  "description": "The word of the person"
const password =\n  "Please enter your password";
'errors.password':\n  'Das Passwort stimmt nicht'
def get_password(self):\n    """Returns what was typed."""
secret:\n  "Xk29dkfLq93kdPq": 1
const passwordField = document.querySelector('#password-field');
const tokens = tokenize(source, { comments: true });
        valueFrom:\n          secretKeyRef:\n            name: db-secret\n            key: password
password: process.env.DB_PASSWORD
const token = await getToken('user-session');
it('rejects a wrong password', () => login('user1', 'wrong-password'));
await page.fill('#password', 'password123');
assert login("admin", "secret") is None
jwt.sign(payload, process.env.JWT_SECRET, { algorithm: 'HS256' });
jwt.verify(token, publicKey, { algorithms: ['RS256'] })
crypto.createHmac('sha256', key).update(body).digest('hex')
Cipher.getInstance("AES/CBC/PKCS5Padding")
SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
hashlib.pbkdf2_hmac('sha256', password, salt, 100000)
DriverManager.getConnection("jdbc:mysql://localhost:3306/shop", user, password);
new PDO('mysql:host=127.0.0.1;port=3306;dbname=shop', $user, $pass);
conn = psycopg2.connect(host="db1.internal", port=5432, dbname="shop2")
mysql -u root -p shop < schema.sql
mysql -uroot -p -h db1.internal shop_production
mysqldump --single-transaction -p shop | gzip > shop-2024-01-31.sql.gz
docker run -p 8080:80 -p 8443:443 nginx:1.25-alpine
ssh -p 2222 deploy@web1.example.com
mkdir -p build/Release2024/assets
sshpass -p "$SSH_PASSWORD" ssh deploy@web1
ENV NODE_VERSION 22.11.0
ENV PASSWORD_FILE /run/secrets/db_password
ENV SECRET_KEY_BASE=dummy
ARG TOKEN
docker login -u "$CI_USER" -p "$CI_TOKEN" registry.example.com
redis-cli -h cache1 -p 6379 ping
openssl req -x509 -newkey rsa:4096 -keyout key.pem -out cert.pem
openssl enc -aes-256-cbc -pass env:BACKUP_KEY -in a -out b
zip -r Release-2.4.1.zip dist
ALTER TABLE users ADD COLUMN password VARCHAR(255) NOT NULL;
CREATE USER app WITH PASSWORD :'app_password';
CREATE USER 'app'@'%' IDENTIFIED BY '$‵{DB_PASSWORD}';
  password_digest character varying(60),
type Credentials struct {\n\tPassword string ‵json:"password"‵\n\tToken    string ‵json:"token,omitempty"‵\n}
session({ secret: config.sessionSecret, resave: false })
app.use(cookieParser(process.env.COOKIE_SECRET));
ConvertTo-SecureString $env:ADMIN_PASSWORD -AsPlainText -Force
ConvertTo-SecureString -String $plain -AsPlainText
ansible_ssh_pass: "{{ vault_ssh_pass }}"
ansible_become_pass: !vault |
'key' => env('APP_KEY'),
'key' => 'users.profile.title',
{"key": "ctrl+shift+p", "command": "workbench.action.showCommands"}
cache:\n  key: node-modules-v2-linux-x64
<Row key={‵row-$‵{index}‵} id="customer-2024-overview" />
localStorage.setItem('theme', 'solarized-dark-2');
const KEYS = ['ArrowUp', 'ArrowDown', 'PageUp', 'Home'];
kind: Secret\nmetadata:\n  name: app\nstringData:\n  username: shop\n  host: db1.shop.internal\n  password: CHANGE_ME
kind: Secret\ndata:\n  username: c2hvcA==\n  host: ZGIuc2hvcC5pbnRlcm5hbA==
secretName: shop-tls-2024
existingSecret: postgres-credentials
imagePullSecrets:\n  - name: registry-credentials
The password must have at least 8 characters, one digit and one character.
Reset your password at https://example.com/reset?step=2
Token expired at 2024-05-01T12:00:00Z
Error: token_expired_24h
throw new AuthenticationError('E401_TOKEN_EXPIRED');
const AUTH_HEADER = 'X-Auth-Token';
headers: { Authorization: ‵Bearer $‵{token}‵ }
SECRET_KEY = os.environ["SECRET_KEY"]
SECRET_KEY = 'your-secret-key-here'
SECRET_KEY = "insecure-test-key"
JWT_SECRET=test-secret-for-ci
const secret = process.env.JWT_SECRET || 'development-secret';
const secret = process.env.JWT_SECRET ?? 'changeme';
password = os.getenv("DB_PASSWORD", "postgres")
url = os.environ.get('REDIS_URL', 'redis://localhost:6379/0')
val token = prefs.getString("auth_token", "none")
variable "db_password" {\n  type      = string\n  sensitive = true\n}
variable "token" {\n  description = "Token of the CI user"\n  default     = ""\n}
<string name="password_hint">Password (8+ characters)</string>
<input type="password" name="password" autocomplete="current-password" />
<key>CFBundleShortVersionString</key>\n<string>2.14.3</string>
label.password=Passwort2
passwordResetExpiresIn: '24h'
passwordPattern: /^(?=.*[A-Z])(?=.*\d).{8,}$/
maxTokens: 4096
tokenLimit = "128k"
"eslint-plugin-no-secrets": "^1.0.2"
password-strength-meter@2.1.0
resolution: {integrity: sha512-9Zc0wFzAaQJ2mP8cX6nQv3tKk1Yb7dRr5Lh4Ss0TuWvXyZ1a2B3c4D5e6F7g8H9iJkLmNoPqRsTuVwXyZ0==}
"commit": "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683
sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
auth_basic "Restricted Area 51";
auth_basic_user_file /etc/nginx/.htpasswd;
proxy_set_header X-Api-Key $http_x_api_key;
requirepass $‵{REDIS_PASSWORD}
# requirepass foobared
psk=<your wifi password>
WiFi.begin(ssid, password);
server.login(user, os.environ["SMTP_PASSWORD"])
requests.get(url, auth=(user, password))
req.SetBasicAuth(user, pass)
auth := smtp.PlainAuth("", user, os.Getenv("SMTP_PASS"), "smtp.example.com")
sessions.NewCookieStore([]byte(os.Getenv("SESSION_KEY")))
connect(mapStateToProps, mapDispatchToProps)(LoginForm2)
socket.connect("tcp://127.0.0.1:5555")
passport.authenticate('oauth2', { failureRedirect: '/login?error=1' })
expect(decrypt(encrypt('hello world'))).toBe('hello world');
$user->setPassword($encoder->encode('test1234'));
create_user('alice', 'alice@example.com', 'password1')
-----BEGIN PUBLIC KEY-----
htpasswd -c /etc/nginx/.htpasswd admin
rabbitmqctl add_user shop "$RABBIT_PASSWORD"
echo "$PASSWORD" | docker login --password-stdin
echo "Building version 2.4.1..." | tee build.log
passphrase: correct horse battery staple
providers: [CredentialsProvider, GitHubProvider],
public_key = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="
siteKey: '6LdRcP0pAAAAAHk3s8Qv2bYbT9nWm7QxJc5uZfLe'
`;

// A back-tick cannot be in the tables themselves.
const linesOf = (table: string): string[] =>
  table
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('$‵{', '${').replaceAll('‵', '`'));
const unescaped = (line: string): string =>
  line.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\\\', '\\');

export const SECRET_FORMS = linesOf(FORMS).map((line) => ({ kind: line.charAt(0), text: unescaped(line.slice(2)) }));
export const ORDINARY_PASSAGES: readonly string[] = linesOf(ORDINARY).map(unescaped);
