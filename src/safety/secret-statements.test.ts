import { describe, expect, test } from 'vitest';
import { findInStatements } from './secret-statements.ts';

const pw = ['Gl4cier', 'Wolf'].join('');
const found = (text: string) =>
  findInStatements(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`);

describe('L17 passwords by their place', () => {
  test.each([
    ...[
      'mysql -u root -p~ shop',
      'mysqldump --all -p~',
      '7z a -p~ x.7z',
      "rar a -p'~' x.rar",
      'sshpass -p ~ ssh x',
      'sshpass -p~ ssh x',
    ],
    ...[
      'docker login -u bob -p ~ x.io',
      'helm registry login -p ~',
      'twine upload -p ~',
      'mongosh -p ~',
      'oc login -p=~',
      'svn -p ~',
    ],
    ...[
      'sqlcmd -S x -P ~',
      'zip -P ~ a.zip',
      'unzip -P~ a.zip',
      'ldapsearch -x -w ~',
      'ldapmodify -w~',
      'redis-cli -a ~ ping',
      'valkey-cli --pass ~',
    ],
    ...[
      'smbclient -U bob%~ //x',
      'mount.cifs -U bob%~',
      'lftp -u bob,~ x',
      'ftp -u bob,~',
      'curl -u bob:~ x',
      'curl --user=bob:~',
      'wget --auth bob:~',
      'http -a bob:~ x',
    ],
    ...[
      'plink -pw ~ x',
      'openssl enc -pass pass:~',
      'openssl rsa -passin pass:~',
      'openssl enc -k ~',
      'keytool -storepass ~',
      'jarsigner --key-pass=pass:~',
    ],
    ...[
      'xfreerdp /u:bob /p:~',
      'MSTSC /pass:~',
      'schtasks /rp:~',
      'net use x: //y ~ /user:bob',
      'NET USER bob ~',
      'htpasswd -cb f bob ~',
      'htpasswd -nbB x bob ~',
    ],
    ...[
      'echo bob:~ | chpasswd',
      "echo -n 'bob:~' | sudo chpasswd",
      'echo ~ | sudo -S id',
      'printf ~ | docker login --password-stdin',
      "printf '%s' ~ | gh auth login --with-token",
    ],
    ...['sqlplus bob/~@db', 'impdp x=bob/"~"@db', 'snmpwalk -A ~', 'snmpget -X~', 'vault login ~', 'vault unwrap ~'],
    ...[
      "create user bob identified by '~'",
      'ALTER USER bob IDENTIFIED BY "~"',
      'identified with x by ~;',
      "identified by password '~'",
      "set x = PASSWORD('~')",
    ],
    ...['db.nordwind.de:5432:app:bob:~', '*:*:*:bob:~', '[smtp.nordwind.de]:587 bob:~', 'bob * ~ *', '"bob" * "~"'],
    ...[
      'login("bob", "~")',
      "connect('db', 'bob', '~')",
      'basic_auth = ("bob", "~")',
      'new PasswordAuthentication("bob", "~")',
      'sign_in(`bob`, `~`)',
    ],
    ...[
      "insert into users (name, password) values ('bob', '~')",
      "INSERT INTO users (password, name) VALUES (N'~', 'bob'), ('~', 'al')".replace(", ('~', 'al')", ''),
    ],
  ])('L17 %s', (line) => {
    const text = line.replace('~', pw);
    for (const whole of [text, `$ ls\n${text}\n$ ls`]) expect(found(whole)).toEqual([`password ${pw}`]);
  });

  test('L17 every row of an insert is read by its columns', () => {
    const rows =
      "insert into t (id, `api_key`, \"password\") values (1, null, 'Gl4cierWolf'),\n (2, 'a''b', \"Th1rdWolf\") ; select 'Oth3rWolf'";
    expect(found(rows)).toEqual(['password Gl4cierWolf', 'password Th1rdWolf']);
  });

  test.each([
    ...[
      'mysql -p shop',
      'mysql -password~',
      'docker login -p',
      'docker run -p 8080:80 x',
      'docker run -p 127.0.0.1:80:80/tcp x',
      'mongosh -p $PW',
      'ssh -p 2222 x',
      'curl -u bob x',
      'curl -u bob:$PW x',
    ],
    ...[
      'zip -P <password> a',
      'redis-cli -a "$PW"',
      'redis-cli -a {{PW}}',
      'echo hello | cat',
      'net user bob',
      'net use x: //y',
      'sqlplus /nolog',
      'vault login -method=x',
      'openssl enc -pass env:PW',
      'openssl enc -pass file:x',
    ],
    ...[
      'identified by',
      'see *:*:*:bob:~ there',
      '*:*:*:bob:~ there',
      'see bob * ~ * there',
      'see smtp.nordwind.de bob:~ there',
      "identified by '<password>'",
      'bob * secret.txt *',
      'a b:12:30',
      'login("bob", "home")',
      'connect("db.nordwind.de", "a/b1")',
      'login("bob")',
      'tokenise(1, 2)',
      "insert into t (a, b) values ('Gl4cierWolf', 2)",
      'mysql\n-pGl4cierWolf',
    ],
  ])('L17 %s gives none', (line) => {
    expect(found(line.replace('~', pw))).toEqual([]);
  });

  test('L17 a line is read no further than 240 characters', () => {
    const line = (blanks: number) => `mysql ${'x'.repeat(blanks)} -p${pw}`;
    expect(found(line(240 - 9 - pw.length))).toEqual([`password ${pw}`]);
    expect(found(line(240))).toEqual([]);
  });
});
