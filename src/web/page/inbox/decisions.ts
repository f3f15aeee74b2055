import type { Act, Acted, ActedAll, Queue } from '../../wire.ts';
import { postSigned } from '../passkey.ts';
import type { usePassphrase } from './passphrase.tsx';

/** Null: the person was asked for her passphrase and went back. */
interface Decisions {
  one(act: Act): Promise<Acted | null>;
  /** One request for all of them: an authenticator signs the list once. */
  all(acts: readonly Act[]): Promise<ActedAll | null>;
}

// A yes at the level in force. A passphrase that did not lead to a decision is forgotten: it may have been the wrong one.
export function decisionsAt(
  { level, credentials }: Pick<Queue, 'level' | 'credentials'>,
  secret: ReturnType<typeof usePassphrase>,
): Decisions {
  const asked = () => (level === 'passphrase' ? secret.ask() : Promise.resolve(undefined));
  const sent = async <T extends object>(path: string, body: object, passphrase: string | undefined): Promise<T> => {
    try {
      return await postSigned<T>(path, { ...body, passphrase }, credentials);
    } catch (error) {
      if (passphrase !== undefined) secret.forget();
      throw error;
    }
  };
  return {
    async one(act) {
      const isSigned = act.action !== 'revive' && act.action !== 'seen';
      const passphrase = isSigned ? await asked() : undefined;
      return passphrase === null ? null : sent<Acted>('/api/act', act, passphrase);
    },
    async all(acts) {
      const passphrase = await asked();
      if (passphrase === null) return null;
      const all = await sent<ActedAll>('/api/act-all', { acts }, passphrase);
      if (all.problem !== null && passphrase !== undefined) secret.forget();
      return all;
    },
  };
}
