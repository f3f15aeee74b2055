import { describe, expect, test } from 'vitest';
import { classify, namesIn } from './secret-names.ts';

const NAMES: [kind: string, strength: string, labels: string][] = [
  [
    'password',
    'password',
    'password PASSWORD dbPassword DB_PASSWORD db.password db-password passwords passwd pswd pwd PGPASSWORD passphrase passkey Passwort Passwörter Passwortes DB-Passwort Kennwort wachtwoord lösenord lösenordet passord adgangskode salasana lykilorð hasło hasłem haslo heslo jelszó jelszo geslo lozinka slaptažodis parool contraseña contrasena contrasenya pasahitza senha parolă şifre şifresi motdepasse mot_de_passe palavra_passe palavra-passe kata_sandi mật_khẩu pass_phrase parola_d_ordine clave_de_acceso código_de_acceso code_d_accès zugangscode zugangskennung seed_phrase recovery_phrase secret_phrase mnemonic mnemonic_phrase seedphrase backup_phrase пароль пароля парола лозинка κωδικός συνθηματικό סיסמה סיסמא كلمة_المرور كلمة_السر पासवर्ड รหัสผ่าน 密码 密碼 口令 パスワード 暗証番号 비밀번호 패스워드 db_pass user.pass smtp_pw dbpass mypass secure_string psk wifi_key wpa-psk wlan.passphrase pre_shared_key preshared_key recovery_code recovery_key backup_code',
  ],
  [
    'password',
    'everyday',
    'pass pw parola parole clave mdp sifre sandi 암호 code_secret access_code login_code zugang losung',
  ],
  [
    'code',
    'digits',
    'pin PIN pin_code pincode pin_number puk otp totp_code mfa_code 2fa_code sms_code smscode tan cvv cvv2 cvc cvc2 cvn card_security_code security_code verification_code one_time_code one-time_password unlock_code door_code gate_code alarm_code safe_code einmalcode sicherheitscode passcode geheimzahl code_pin user_pin',
  ],
  ['authorization', 'token', 'authorization Authorization proxy-authorization'],
  [
    'secret',
    'secret',
    'secret clientSecret client_secret secrets secret_key private_key privateKey secret_access_key secret_key_base geheimnis secreto segredo секрет シークレット 私钥 秘密鍵 clé_secrète clé_privée',
  ],
  [
    'token',
    'token',
    'token accessToken tokens refresh_token bearer npm_auth _auth session_id sessionid sessid otp_seed jeton токен 令牌 トークン 토큰',
  ],
  [
    'api_key',
    'token',
    'api_key apiKey API_KEYS access_key account-key auth_key signing_key encryption.key master_key shared_key service_key storage_key app_key deploy_key license_key licence_key webhook_key session_key hmac_key jwt_key ssh_key admin_key ingest_key bot_key consumer_key dev_key rest_key server_key write_key root_key vault_key unseal_key client_key product_key serial_key decryption_key aes_key fernet_key api_schlüssel api-sleutel api_nyckel api_klucz api_ключ api_キー api_密钥 api_키 clé_api clave_de_api chave_d_api',
  ],
  ['secret', 'weak', 'key auth credential credentials creds salt signature 密钥 ключ schlüssel'],
];

describe('L17 names of secrets', () => {
  test.each(NAMES)('L17 of the kind %s (%s)', (kind, strength, labels) => {
    for (const label of labels.split(' ')) expect([label, classify(label)]).toEqual([label, { kind, strength }]);
  });

  test('L17 a tail says whose it is, two of them also', () => {
    const tails =
      '1 42 prod production dev develop development staging stage stg test testing live qa uat ci local value val old new current previous base64 b64 plain plaintext raw main backup eu us'.split(
        ' ',
      );
    const owners =
      'db database admin root user app web mysql postgres redis smtp ldap wifi wlan master read write ro rw primary secondary x'.split(
        ' ',
      );
    for (const tail of [...tails, ...owners]) {
      expect([tail, classify(`password_${tail}`)?.kind]).toEqual([tail, 'password']);
      expect([tail, classify(`api_key_${tail}_prod`)?.kind]).toEqual([tail, 'api_key']);
    }
    expect(classify('password2')?.kind).toBe('password');
    expect(classify('passwordhint')).toBeNull();
    expect(classify('password_db_prod_main')).toBeNull();
  });

  test.each(
    'next_token prevToken page_token nextPageToken continuation_token pad_token eos_token max_tokens num_tokens public_key publicKey cache_key primaryKey foreign_key sort_key partition_key object_key idempotency_key translation_key host_key row_key group_key hot_key publishable_key known_key verifying_key unique_key index_key lookup_key json_key label_key stop_token special_tokens bypass compass surpass trespass underpass overpass keyboard tokenizer secretary author session passenger pinned tango authorizationmode tokenless secretly keyless saltshaker clientsecretly'.split(
      ' ',
    ),
  )('L17 %s is none', (label) => {
    expect(classify(label)).toBeNull();
  });

  test('L17 in a text each stands where it is, in one word or in several, but not in a mark of ours', () => {
    const text = 'The API key, mot de passe: x [redacted:password] Client-Secret and the recovery code';
    expect(namesIn(text).map(({ label, start, end }) => [label, text.slice(start, end)])).toEqual(
      ['API key', 'mot de passe', 'Client-Secret', 'recovery code'].map((label) => [label, label]),
    );
  });
});
