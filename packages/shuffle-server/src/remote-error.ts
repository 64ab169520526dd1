/** The classes of Java's exceptions that Spark's service answers with. */
export type JavaClass =
  | "java.lang.ArithmeticException"
  | "java.lang.ArrayIndexOutOfBoundsException"
  | "java.lang.IllegalArgumentException"
  | "java.lang.IllegalStateException"
  | "java.lang.IndexOutOfBoundsException"
  | "java.lang.NumberFormatException"
  | "java.lang.RuntimeException"
  | "java.lang.SecurityException"
  | "java.lang.UnsupportedOperationException"
  | "java.io.IOException";

/** Why a request is refused, for the log: one line is written for each kind. */
export type RefusalKind =
  | "application"
  | "authentication"
  | "block"
  | "damaged"
  | "directory"
  | "executor"
  | "frame"
  | "message"
  | "overload"
  | "slow"
  | "stream";

const MOST_CHARACTERS = 4_096;

/**
 * A failure for the client. Its text begins as that of Spark's service does, with the class of a Java exception: people
 * search for these lines. The stack trace that Spark sends after it is left out.
 */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
  readonly kind: RefusalKind;
  readonly javaClass: JavaClass;

  constructor(kind: RefusalKind, javaClass: JavaClass, message: string) {
    super(message);
    this.kind = kind;
    this.javaClass = javaClass;
  }

  /** As it is sent. A text of the client in it may be long. */
  get text(): string {
    const text = this.message === "" ? this.javaClass : `${this.javaClass}: ${this.message}`;
    return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
  }
}
