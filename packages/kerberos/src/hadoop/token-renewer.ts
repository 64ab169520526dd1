import type { KerberosLogin } from "../login/kerberos-login.ts";
import type { Renewal } from "./ask-name-node.ts";
import { parseCredentialsFile } from "./credentials-file.ts";
import { fetchMeans, isByAddress, type DelegationTokenMeans } from "./fetch-delegation-tokens.ts";
import { renewToken, tokenService } from "./fetch-token.ts";
import type { TokenFileSystem } from "./file-system.ts";
import type { HadoopConfiguration } from "./hadoop-configuration.ts";
import { HadoopTokenError, type HadoopToken } from "./hadoop-token.ts";
import { tokenIdentifier } from "./token-identifier.ts";

export type { Renewal } from "./ask-name-node.ts";

/** A token that this renewer may renew. */
export interface RenewableToken {
  /** The file system, without a path. */
  readonly fileSystem: string;
  /** When it ends, however often it is renewed, in milliseconds since the epoch. */
  readonly maxDate: number;
  /**
   * @throws KindlingError `TOKEN_REFUSED`, `KERBEROS_FAILED`, `KDC_UNREACHABLE` if a later try may succeed
   */
  renew(): Promise<Renewal>;
}

export interface TokenRenewer {
  /** The tokens in a file that name this renewer, and are of file systems that it knows; none for bytes of another form. */
  tokensIn(file: Buffer): Promise<readonly RenewableToken[]>;
}

export interface TokenRenewerOptions {
  /** The short name of the one who logs in. */
  readonly name: string;
  /** Logs in; is called again before the ticket ends, and after a failure. */
  readonly logIn: () => Promise<KerberosLogin>;
  readonly conf: HadoopConfiguration;
  /** No other name nodes than theirs are asked, whatever a token says. */
  readonly fileSystems: readonly TokenFileSystem[];
  readonly means: DelegationTokenMeans;
}

// A ticket that ends while it is used would be refused.
const BEFORE_END_MS = 60_000;

/** Renews delegation tokens that others use, as YARN's resource manager does (DelegationTokenRenewer). */
export function tokenRenewer({ name, logIn, conf, fileSystems, means }: TokenRenewerOptions): TokenRenewer {
  let kept: KerberosLogin | undefined;
  const byAddress = isByAddress(conf);

  async function login(): Promise<KerberosLogin> {
    const now = means.clock.now();
    if (kept === undefined || kept.ticketGranting.endTime - BEFORE_END_MS <= now + kept.clockOffset)
      kept = await logIn();
    return kept;
  }

  async function known(): Promise<ReadonlyMap<string, TokenFileSystem>> {
    const services = fileSystems.map(
      async (system) => [await tokenService(system, { ...means, byAddress }), system] as const,
    );
    return new Map(await Promise.all(services));
  }

  return {
    async tokensIn(file) {
      const byService = await known();
      return tokensOf(file).flatMap((token) => {
        const said = tokenIdentifier(token);
        const system = byService.get(token.service);
        if (said?.renewer !== name || system === undefined) return [];
        const renew = async (): Promise<Renewal> => {
          try {
            return await renewToken(token, system, fetchMeans(await login(), conf, means));
          } catch (error) {
            kept = undefined;
            throw error;
          }
        };
        return [{ fileSystem: system.name, maxDate: said.maxDate, renew }];
      });
    },
  };
}

function tokensOf(file: Buffer): readonly HadoopToken[] {
  try {
    return parseCredentialsFile(file);
  } catch (error) {
    if (error instanceof HadoopTokenError) return [];
    throw error;
  }
}
