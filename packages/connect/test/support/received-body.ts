import { Http2Stream } from "../../src/http2/http2-stream.ts";

const WINDOW = 16 * 1024 * 1024;

/** A call whose body has come as these chunks, and with nothing to answer it to. */
export function receivedBody(chunks: readonly Buffer[]): Http2Stream {
  const nothing = (): void => undefined;
  const link = { sendHeaders: nothing, sendLater: nothing, openWindow: nothing, sendReset: nothing };
  const stream = new Http2Stream({
    ...{ id: 1, sendWindow: WINDOW, receiveWindow: WINDOW },
    link: { ...link, role: "server", consumed: nothing, ended: nothing },
  });
  for (const bytes of chunks) stream.receiveData({ bytes }, bytes.length);
  stream.receiveEnd(undefined);
  return stream;
}
