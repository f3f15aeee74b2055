const A = '[A-Za-z0-9]';
const W = '[A-Za-z0-9_-]';
const H = '[0-9a-f]';
const B = '[A-Za-z0-9+/=_-]';
const D = '[A-Za-z0-9_.=-]';
const HEX32 = `${H}{32}(?!${A})`;
const UUID = `${H}{8}-${H}{4}-${H}{4}-${H}{4}-${H}{12}`;
const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

// How services write their tokens: what follows, and each class with its beginnings. Most tokens are as long as their service
// makes them; a cut one is still worth hiding, so lower bounds are loose. A beginning that names of programs share
// (`test_`, `md-`, `pa-`) is none. What is longer comes before what begins like it.
export const BY_BEGINNING: [rest: string, ...services: string[]][] = [
  [
    `${A}{16,400}`,
    'stripe_key sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ | trigger_key tr_dev_ tr_prod_ tr_stg_ tr_pat_',
  ],
  [
    `${A}{20,400}`,
    'newrelic_key NRAK- NRII- NRRA- NRJS- NRSP- | vercel_token vcp_ vci_ vca_ vcr_ vck_ | bitbucket_token ATBB | render_key rnd_ | ngrok_key ngrok_',
  ],
  [
    `${A}{30,400}`,
    'github_token ghp_ gho_ ghu_ ghs_ ghr_ | linear_key lin_api_ lin_oauth_ lin_wh_ | prefect_key pnu_ pnb_ | huggingface_token hf_ api_org_',
    'netlify_token nfp_ nfc_ nfo_ nfu_ nfb_ | replicate_token r8_ | npm_token npm_ | openai_key sk- | posthog_key phx_',
    'buildkite_token bkua_ bkpi_ bkat_ bkcq_ | runpod_key rpa_ | shopify_token shpat_ shpca_ shppa_ shpss_ shptka_ shpua_',
  ],
  [
    `${A}{40,400}`,
    'notion_token ntn_ | groq_key gsk_ | perplexity_key pplx- | cerebras_key csk- | neon_key napi_ | age_key AGE-SECRET-KEY-1',
    'honeycomb_key hcaik_ hcbik_ hcxik_ hcamk_ hcxmk_ hcalk_ | easypost_key EZAK EZTK | jfrog_token cmVmdGtu AKCp',
    'clojars_token CLOJARS_ | nostr_key nsec1 | xai_key xai- | readme_key rdme_',
  ],
  [`${A}{80,400}`, 'facebook_token EAA'],
  [`${W}{12,60}`, 'flutterwave_key FLWSECK- FLWSECK_TEST-'],
  [
    `${W}{20,500}`,
    'gitlab_token glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- gloas- glimt- glffct- glwt- GR1348941',
    'openai_key sk-proj- sk-svcacct- sk-admin- sk-None- sess- | google_token GOCSPX- ya29. 1//0 4/0A | docker_token dckr_pat_ dckr_oat_',
    'square_token sq0atp- sq0csp- sq0idp- sandbox-sq0csb- | tavily_key tvly- | supabase_token sb_secret_ | vault_token hvs. hvb. hvr.',
    'adobe_secret p8e- p8s- | anthropic_key sk-ant-',
  ],
  [
    `${W}{30,500}`,
    'figma_token figd_ figo_ figu_ figor_ | together_key tgp_v1_ | mongodb_key mdb_sa_sk_ | dbt_token dbtc_ dbtu_ | heroku_key HRKU-',
    'yandex_key AQVN | google_api_key AIza | tailscale_key tskey- | inngest_key signkey-',
  ],
  [
    `${W}{40,500}`,
    'github_token github_pat_ | pypi_token pypi- | contentful_token CFPAT- | fly_token fo1_ | jina_key jina_ | pinecone_key pcsk_',
    'nvidia_key nvapi- | yandex_key y0_ y1_ y2_ y3_ | brevo_key xkeysib- xsmtpsib- | circleci_token CCIPAT_ CCIPRJ_',
    'sourcegraph_token sgp_ | langsmith_key lsv2_pt_ lsv2_sk_ | docker_token SWMTKN-1-',
  ],
  [
    `${H}{36,80}(?!${A})`,
    'e2b_key e2b_ | supabase_token sbp_ | elevenlabs_key sk_ | rubygems_key rubygems_ | digitalocean_token dop_v1_ doo_v1_ dor_v1_',
    'openrouter_key sk-or-v1- | pulumi_token pul- | sonar_token squ_ sqp_ sqa_ | shippo_token shippo_live_ shippo_test_ | trello_token ATTA',
  ],
  [HEX32, 'twilio_key SK | mailgun_key key- | firecrawl_key fc-'],
  [
    UUID,
    'plaid_token access-sandbox- access-development- access-production- | langfuse_key sk-lf- | axiom_token xaat- xapt- | riot_key RGAPI-',
    'hubspot_token pat-na1- pat-na2- pat-eu1- pat-ap1-',
  ],
  [`${B}{20,2000}`, 'stripe_key whsec_ | matrix_token syt_ mct_ syr_'],
  [
    `${B}{30,2000}`,
    'sentry_token sntrys_ sntryu_ | onepassword_key ops_eyJ | stytch_secret secret-live- secret-test- | pubnub_key sec-c-',
    'atlassian_token ATATT3 ATCTT3 ATSTT3 | duffel_token duffel_live_ duffel_test_ | frameio_token fio-u- | elastic_key essu_',
    'volcengine_key AKLT | grafana_token glc_ glsa_',
  ],
  [
    `${D}{30,400}`,
    'doppler_token dp.pt. dp.st. dp.sa. dp.ct. dp.scim. dp.audit. | dynatrace_token dt0c01. dt0s01. dt0s02. dt0s08. dt0s16.',
    'mapbox_token sk.eyJ tk.eyJ | typeform_token tfp_ | snyk_token snyk_uat. snyk_sat. | planetscale_token pscale_tkn_ pscale_pw_ pscale_oauth_ pscale_otkn_',
  ],
  [
    `[A-Za-z0-9+/=_,$.-]{30,2000}`,
    'fly_token fm1_ fm2_ fm1r_ fm1a_ | password_hash $argon2id$ $argon2i$ $argon2d$ $scrypt$',
  ],
  [`[A-Z0-9]{16}(?!${A})`, 'aws_key_id AKIA ASIA ABIA ACCA'],
  [`[A-Za-z0-9+/]{100,160}={0,2}`, 'aws_key ABSK'],
  [`[A-Za-z0-9.%-]{10,250}`, 'slack_token xoxa- xoxb- xoxc- xoxd- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp-'],
  [`[a-z0-9]{16}\\$${H}{32}`, 'paypal_token access_token$production$ access_token$sandbox$'],
  [`(?=[A-Za-z0-9]{0,80}%[0-9A-F]{2})[A-Za-z0-9%]{40,120}(?![A-Za-z0-9+/])`, 'twitter_token AAAAAAAAAAAAAAAAAAAAA'],
  [`${W}{7}:APA91b${W}{100,200}`, 'firebase_key AAAA'],
  [`[a-z0-9]{43}(?!${A})`, 'nuget_key oy2'],
  [`${W}{16,64}\\.${W}{16,80}`, 'sendgrid_key SG.'],
  [`${A}{6,12}_${A}{20,40}`, 'resend_key re_'],
  [`[0-9A-F]{28,34}_${A}{20,30}`, 'telnyx_key KEY0'],
  [`${H}{24}-${H}{30,160}(?!${A})`, 'cloudflare_key v1.0- | postman_key PMAK-'],
  [`${H}{32}(?:-[0-9])?(?!${A})`, 'databricks_token dapi dkea dose'],
  ['[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){4,5}', 'onepassword_key A3-'],
  [`${A}{20,40}\\.${A}{20,80}\\.${A}{20,80}`, 'infisical_token st.'],
  [`${A}{43}(?!${A})(?<=[0-9]${A}*)`, 'notion_token secret_'],
  [`${A}{14}\\.${H}{60,70}`, 'airtable_token pat'],
  [`(?:u\\.)?${W}{100,1500}`, 'dropbox_token sl.'],
  ['[0-9]{6,12}_[A-Z0-9]{32}', 'clickup_token pk_'],
  [`${A}{12,15}![A-Za-z0-9._]{60,120}`, 'salesforce_token 00D'],
  [`${W}{27,32}(?!${W})(?<=[0-9]${W}*)(?<=[a-z]${W}*)`, 'brave_key BSA'],
  ['[A-Za-z0-9+/]{60,300}={0,2}', 'grafana_token eyJrIjoi'],
  [`${W}{22}\\.${H}{24}\\.${A}{20}`, 'harness_token pat. sat.'],
  [`${A}{12,40}(?!${A})(?<=[0-9]${A}*)`, 'alibaba_key LTAI | tencent_key AKID'],
  ['[A-Z0-9]{2,20}-1[A-Z0-9]{20,90}', 'age_key AGE-PLUGIN-'],
  [`${BASE58}{90,115}`, 'wallet_key xprv yprv zprv tprv'],
  ['[0-9]{2}\\$[./A-Za-z0-9]{50,60}', 'password_hash $2a$ $2b$ $2y$'],
  ['(?:rounds=[0-9]{1,9}\\$)?[./A-Za-z0-9$]{20,200}', 'password_hash $1$ $5$ $6$ $y$ $7$ $apr1$'],
  ['[0-9]{1,9}\\$[^\\s"\'<>]{20,200}', 'password_hash pbkdf2_sha256$ pbkdf2_sha1$ bcrypt_sha256$ pbkdf2:sha256:'],
  ['[A-Za-z0-9+/$.=]{20,200}', 'password_hash {SSHA} {SHA} {SSHA256} {SSHA512} {MD5} {SMD5} {CRYPT}'],
  [`[a-z0-9]{30}(?!${A})`, 'twitch_token oauth:'],
  [`${W}{10,4000}\\.${W}{10,8000}(?:\\.${W}{0,4000}){0,3}`, 'jwt eyJ'],
];

// Tokens that begin in any way, and show by their middle or end whose they are.
export const UNPREFIXED: [rest: string, kind: string][] = [
  [`${H}{32}-us[0-9]{1,2}(?!${A})`, 'mailchimp_key'],
  [`${H}{32}-${H}{8}-${H}{8}(?![0-9A-Za-z-])`, 'mailgun_key'],
  [`[0-9]{8,10}:AA${W}{33}(?!${W})`, 'telegram_token'],
  [`[MNO]${W}{23,25}\\.${W}{6}\\.${W}{27,40}`, 'discord_token'],
  [`[0-9]/[0-9]{10,20}(?:/[0-9]{10,20})?:${H}{32}`, 'asana_token'],
  [`${H}{36}NRAL(?!${A})`, 'newrelic_key'],
  [`${A}{14}\\.atlasv1\\.${W}{50,90}`, 'terraform_token'],
  [`[A-Za-z0-9_~.]{3}8Q~[A-Za-z0-9_~.-]{31,34}`, 'azure_key'],
  [`${A}{52}JQQJ99${A}{20,30}|${A}{76}AZDO${A}{4}(?!${A})`, 'azure_key'],
  [
    `[A-Za-z0-9+/_-]{33,80}(?:AzFu|ACDb|\\+ASt|AIoT|AzSe|AzCa|\\+AEh|\\+ARm|\\+ABa|APIM)[A-Za-z0-9+/]{4,8}={1,2}`,
    'azure_key',
  ],
  [`${H}{10}msh${H}{15}p1${H}{6}jsn${H}{12}`, 'rapidapi_key'],
  [`0\\.${UUID}\\.${A}{20,40}:[A-Za-z0-9+/]{20,30}={0,2}`, 'bitwarden_token'],
  [`${W}{6,8}\\.${W}{6}:${W}{40,50}(?!${W})`, 'ably_key'],
];
