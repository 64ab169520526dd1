/** Texts without any of this hold no secret that could be recognised. Most texts are such, and nothing else is done to them. */
export const SUSPICIOUS: RegExp =
  /secret|passw|passphrase|credential|token|oauth|(?:access|api|private|account|encryption|client)[._-]?key|[._-]sas|bearer|basic|authorization|cookie|jdbc:|eyJ|PRIVATE KEY|:\/\/|%/i;
