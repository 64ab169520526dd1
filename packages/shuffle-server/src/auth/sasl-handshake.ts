import { RemoteError } from "../remote-error.ts";
import { ByteReader, MalformedError } from "../protocol/byte-reader.ts";
import { crypto } from "./crypto.ts";

/** The user of all applications (`SecurityManager.getSaslUser`). */
const USER = "sparkSaslUser";
const REALM = "default";
/** Java writes the missing protocol as it writes a missing value. */
const DIGEST_URI = "null/default";
const COUNT = "00000001";
const NONCE_BYTES = 30;

/** The answer to a message, and the application when the client has proved that it knows the secret. */
export interface SaslAnswer {
  readonly body: Buffer;
  readonly application: string | undefined;
}

/**
 * The server's side of SASL with DIGEST-MD5 (RFC 2831), as Spark uses it: one user, without encryption.
 *
 * Source: `SaslRpcHandler` and `SparkSaslServer`, Spark 3.5.9 and 4.1.1. It differs in that it offers no encryption
 * (`spark.authenticate.enableSaslEncryption`): its ciphers are those of the last century, and Spark has its own protocol.
 */
export class SaslHandshake {
  readonly #secret: string;
  readonly #nonce: string = crypto().randomBytes(NONCE_BYTES).toString("base64");
  #application: string | undefined;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /**
   * @param body of an RPC of the client: a `SaslMessage`
   * @throws RemoteError if the client does not know the secret
   */
  answer(body: Buffer): SaslAnswer {
    const { application, token } = decodeSaslMessage(body);
    if (this.#application === undefined) {
      this.#application = application;
      const challenge = `realm="${REALM}",nonce="${this.#nonce}",qop="auth",charset=utf-8,algorithm=md5-sess`;
      return { body: Buffer.from(challenge), application: undefined };
    }
    if (application !== this.#application) throw saslError("another application in the middle of the handshake");
    const given = directives(token.toString("utf8"));
    const proof = digestOf(this.#secret, this.#nonce, given, "AUTHENTICATE");
    const isRight =
      given.get("nonce") === this.#nonce &&
      given.get("nc") === COUNT &&
      (given.get("qop") ?? "auth") === "auth" &&
      given.get("digest-uri") === DIGEST_URI &&
      given.get("username") === encoded(USER) &&
      given.get("realm") === REALM &&
      isSame(given.get("response") ?? "", proof);
    if (!isRight) throw saslError("digest response format violation. Mismatched response.");
    const rspauth = digestOf(this.#secret, this.#nonce, given, "");
    return { body: Buffer.from(`rspauth=${rspauth}`), application };
  }
}

/**
 * The proof that somebody knows the secret (RFC 2831, section 2.1.2.1): of the client with its method, of the server without.
 *
 * @param secret as Spark has it
 * @param nonce of the server
 * @param given the directives of the client
 */
export function digestOf(secret: string, nonce: string, given: ReadonlyMap<string, string>, method: string): string {
  const md5 = (data: Uint8Array | string) => crypto().createHash("md5").update(data).digest();
  const cnonce = given.get("cnonce") ?? "";
  const user = md5(`${encoded(USER)}:${REALM}:${encoded(secret)}`);
  const session = md5(Buffer.concat([user, Buffer.from(`:${nonce}:${cnonce}`)])).toString("hex");
  const request = md5(`${method}:${DIGEST_URI}`).toString("hex");
  return md5(`${session}:${nonce}:${COUNT}:${cnonce}:auth:${request}`).toString("hex");
}

/** The directives of a message: `name="value",name=value`. */
export function directives(text: string): ReadonlyMap<string, string> {
  const found = text.matchAll(/([a-z-]{1,20})=(?:"((?:[^"\\]|\\.){0,1000})"|([^",\s]{0,1000}))/g);
  return new Map(
    [...found].map(([, name = "", quoted, plain = ""]) => [name, quoted?.replaceAll(/\\(.)/g, "$1") ?? plain]),
  );
}

function decodeSaslMessage(body: Buffer): { readonly application: string; readonly token: Buffer } {
  const reader = new ByteReader(body);
  try {
    reader.byte();
    const application = reader.text();
    // The length of the token, which the message says too.
    reader.int();
    return { application, token: reader.rest() };
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error;
    throw new RemoteError("authentication", "java.lang.IndexOutOfBoundsException", error.message);
  }
}

/** Java's SASL takes Spark's user and secret in this form. */
function encoded(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

function isSame(given: string, proof: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(proof);
  return a.length === b.length && crypto().timingSafeEqual(a, b);
}

function saslError(message: string): RemoteError {
  return new RemoteError(
    "authentication",
    "java.lang.RuntimeException",
    `javax.security.sasl.SaslException: DIGEST-MD5: ${message}`,
  );
}
