import type { Answered } from "./transcript.ts";

/** Why an answer of ours differs from Spark's, and what it is. */
export interface Difference {
  readonly why: string;
  readonly ours: Partial<Omit<Answered, "exchange">>;
}

const NEWER = "Spark 3.5.9 answers otherwise; this is the answer of 4.3.0";

function closedStream(failed: string): Difference {
  return {
    why: NEWER,
    ours: { answers: [`${failed} failed: java.lang.IllegalArgumentException: Unknown stream ID.`] },
  };
}

/** By conversation and exchange. */
export const DIFFERENCES: Readonly<Record<string, Readonly<Record<string, Difference>>>> = {
  "register and fetch": { "a chunk of a finished stream": closedStream("chunk 0/4") },
  "fetch as streams": {
    "a finished one": closedStream("stream <handle 0>_3"),
    "an unknown one": closedStream("stream 12_0"),
  },
  "wrong chunks": { "an unknown stream": closedStream("chunk -1/0") },
  corruption: {
    CRC32C: {
      why: `${NEWER}, which knows this algorithm`,
      ours: { answers: ["0000000000000017040000000000000005000000021101"] },
    },
  },
  "damaged files": {
    "its chunk": {
      why: "Spark begins the answer and breaks the connection, so the client asks three times more before it gives up",
      ours: {
        answers: [
          "chunk 0/0 failed: java.io.IOException: Failed to open file: <root>/blockmgr-1/26/shuffle_0_20_0.data",
        ],
        isClosed: false,
      },
    },
  },
  "short data": {
    "its chunk": {
      why: "the same",
      ours: {
        answers: [
          "chunk 0/0 failed: java.io.IOException: <root>/blockmgr-2/09/shuffle_0_21_0.data has 4 bytes, and the block ends at 12",
        ],
        isClosed: false,
      },
    },
  },
  "an index that lies": {
    "the chunk of falling numbers": {
      why: "the sentence names the file; Spark's is that of a check in Netty",
      ours: {
        answers: [
          "chunk 1/0 failed: java.lang.IllegalArgumentException: the index <root>/blockmgr-2/3a/shuffle_0_23_0.index is damaged: a block from 3 to 0",
        ],
      },
    },
  },
  links: {
    "its chunk": {
      why: `${NEWER}: 3.5.9 sends the file that the link leads to`,
      ours: {
        answers: [
          "chunk 0/0 failed: java.lang.RuntimeException: Block file <root>/blockmgr-2/07/shuffle_0_25_0.data resolves outside the executor's registered local directories",
        ],
      },
    },
  },
  "a length that lies": {
    "a length that lies": {
      why: "Spark 3.5.9 has no memory for so much, and breaks the connection; this is the answer of 4.3.0",
      ours: { answers: ["rpc 1 failed: java.lang.IndexOutOfBoundsException"], isClosed: false },
    },
  },
  "a negative length": {
    "a negative length": {
      why: NEWER,
      ours: { answers: ["rpc 1 failed: java.lang.IndexOutOfBoundsException"], isClosed: false },
    },
  },
};
