import { expect, it } from "vitest";
import { nFold } from "../../src/crypto/n-fold.ts";

// RFC 3961, appendix A.1.
it.each([
  ["012345", 8, "be072631276b1955"],
  ["password", 7, "78a07b6caf85fa"],
  ["Rough Consensus, and Running Code", 8, "bb6ed30870b7f0e0"],
  ["password", 21, "59e4a8ca7c0385c3c37b3f6d2000247cb6e6bd5b3e"],
  ["MASSACHVSETTS INSTITVTE OF TECHNOLOGY", 24, "db3b0d8f0b061e603282b308a50841229ad798fab9540c1b"],
  ["Q", 21, "518a54a215a8452a518a54a215a8452a518a54a215"],
  ["ba", 21, "fb25d531ae8974499f52fd92ea9857c4ba24cf297e"],
  ["kerberos", 8, "6b65726265726f73"],
  ["kerberos", 16, "6b65726265726f737b9b5b2b93132b93"],
])("folds %s to %i bytes", (text, size, expected) => {
  expect(nFold(Buffer.from(text), size).toString("hex")).toBe(expected);
});
