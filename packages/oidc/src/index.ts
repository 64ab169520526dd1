export { type Issuer, type IssuerKeys, IssuerUnavailable, openIssuer, type IssuerOptions } from "./issuer/issuer.ts";
export { signIn, type SignIn, type SignInOptions } from "./login/sign-in.ts";
export { type OpenedVerifier, openVerifier, type OpenVerifierOptions } from "./tokens/open-verifier.ts";
export { tokenVerifier, type TokenVerifier, type Verification } from "./tokens/token-verifier.ts";
export { userOfClaims } from "./tokens/user-of-claims.ts";
