import { KindlingError } from "@kindling/core-spec";
import { credentialsFile, HadoopTokenError, withEarlierCredentials, type HadoopToken } from "@kindling/kerberos";
import type { Clock, Env } from "@kindling/outside";
import type { Notices } from "../../notices.ts";
import { readFailure } from "../files/read-failure.ts";
import { readSmallFile } from "../files/read-small-file.ts";

/** The variable that names the file of the user's tokens. */
export const TOKEN_FILE = "HADOOP_TOKEN_FILE_LOCATION";

/**
 * The file of the user's tokens (UserGroupInformation.createLoginUser).
 *
 * @throws KindlingError `FILE_UNREADABLE`
 */
export function givenTokens(env: Env, clock: Clock): Buffer | undefined {
  const { [TOKEN_FILE]: path = "" } = env;
  if (path === "") return undefined;
  try {
    return readSmallFile(path, clock);
  } catch (error) {
    const { fault, hint } = readFailure(error);
    throw new KindlingError("FILE_UNREADABLE", `${TOKEN_FILE}: ${path}: ${fault}`, hint === undefined ? {} : { hint });
  }
}

/** The file for the driver: what was fetched, over what the user has already; `undefined` if there is neither. */
export function joined(
  fetched: readonly HadoopToken[],
  given: Buffer | undefined,
  notices: Notices,
): Buffer | undefined {
  if (fetched.length === 0) return given;
  if (given === undefined) return credentialsFile(fetched);
  try {
    return withEarlierCredentials(fetched, given);
  } catch (error) {
    if (!(error instanceof HadoopTokenError)) throw error;
    notices.add(`the tokens of ${TOKEN_FILE} are not handed to the driver: the file has another form`);
    return credentialsFile(fetched);
  }
}
