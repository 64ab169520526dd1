import { HadoopTokenError, TokenReader, type HadoopToken } from "./hadoop-token.ts";

/** What a name node has written into a token. Times are in milliseconds since the epoch. */
export interface TokenIdentifier {
  readonly owner: string;
  /** The short name of the one who may renew the token; empty for nobody. */
  readonly renewer: string;
  readonly issueDate: number;
  /** When the token ends, however often it is renewed. */
  readonly maxDate: number;
}

/**
 * Reads a token's identifier (Hadoop, AbstractDelegationTokenIdentifier.readFields), which tokens of name nodes have.
 *
 * @returns `undefined` for a token of another kind
 */
export function tokenIdentifier({ identifier }: Pick<HadoopToken, "identifier">): TokenIdentifier | undefined {
  // The version, which has always been 0.
  if (identifier[0] !== 0) return undefined;
  const reader = new TokenReader(identifier.subarray(1));
  try {
    const text = (): string => reader.block().toString("utf8");
    const [owner, renewer] = [text(), text()];
    // The real user, who acts for the owner.
    text();
    return { owner, renewer, issueDate: reader.number(), maxDate: reader.number() };
  } catch (error) {
    if (error instanceof HadoopTokenError) return undefined;
    throw error;
  }
}
