import { RemoteError } from "../remote-error.ts";
import { agreeOnKeys } from "./key-agreement.ts";
import { SaslHandshake } from "./sasl-handshake.ts";
import { SessionCipher } from "./session-cipher.ts";

/** The end of a handshake: who the client is, and what protects the connection from now on. */
export interface Authenticated {
  readonly application: string;
  /** Nothing is encrypted without one. */
  readonly cipher: SessionCipher | undefined;
}

/** An answer to a message of a handshake. */
export interface HandshakeAnswer {
  readonly body: Uint8Array;
  /** The handshake has succeeded: it counts after the answer. */
  readonly done: Authenticated | undefined;
}

const SASL_TAG = 0xea;
const AUTH_TAG = 0xfb;

/**
 * The handshake of a connection. The client chooses between Spark's own protocol (`spark.network.crypto.enabled`) and SASL, as
 * it can with Spark's service.
 *
 * Counterpart of `AuthRpcHandler` and `SaslRpcHandler` (Spark 3.5.9 and 4.1.1). It differs in that the version of the protocol
 * and the cipher need no settings: they are recognized by the client's first encrypted bytes.
 */
export class Authenticator {
  readonly #secret: string;
  #sasl: SaslHandshake | undefined;

  /** @param secret as Spark has it in `_SPARK_AUTH_SECRET` */
  constructor(secret: string) {
    this.#secret = secret;
  }

  /**
   * @param body of an RPC of the client
   * @throws RemoteError for a client that does not know the secret: the connection ends after the answer
   */
  answer(body: Buffer): HandshakeAnswer {
    if (body[0] === AUTH_TAG) return this.#answerChallenge(body);
    if (body[0] !== SASL_TAG) {
      throw new RemoteError(
        "authentication",
        "java.lang.IllegalStateException",
        "Expected SaslMessage, received something else (maybe your client does not have SASL enabled?)",
      );
    }
    this.#sasl ??= new SaslHandshake(this.#secret);
    const { body: answer, application } = this.#sasl.answer(body);
    return { body: answer, done: application === undefined ? undefined : { application, cipher: undefined } };
  }

  #answerChallenge(body: Buffer): HandshakeAnswer {
    try {
      const { application, answer, keys } = agreeOnKeys(this.#secret, body);
      return { body: answer, done: { application, cipher: new SessionCipher(keys) } };
    } catch {
      // The reason is the client's own: it knows another secret, or none.
      throw new RemoteError("authentication", "java.lang.IllegalArgumentException", "Authentication failed.");
    }
  }
}
