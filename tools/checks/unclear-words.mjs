// @ts-check
// A sentence begins at the beginning of a text, or after the end of another sentence.
const BEGIN = String.raw`(?:^|(?<=[.:;!?)] ))`;
const BE_OR_DO = "(?:is|are|was|were|does|do|did|has|have|had|can|cannot|may|must|will|would)";

// "What cannot be read means no.": a verb of the clause, no word that begins another clause, and then the sentence's verb.
const NO_CLAUSE = String.raw`(?:(?!\b(?:that|who|which|where|when|while|if|whether|whose|what|how|why|and|or|but|because|since|than|as|before|after|until|once|unless|though)\b)[^.,:;?!()])*?`;
const CLAUSE_VERB = `(?:${BE_OR_DO}|needs|wants|asks|asked|says|said|gives|gave|makes|made|stands|comes|came|goes|went|belongs|knows|knew|holds|reads|writes|waits|fails|runs|ran|differs|depends|begins|ends|ended|takes|took|tells|told|keeps|kept|finds|found|shows|sends|sent|gets|got|remains|happens|happened|looks|follows|throws|owns|sets|uses|ask for|creates|created|adds|added|brings|brought|leaves|lacks|allows|allowed|serves|served|puts|sees|returns|refuses)`;
const AUXILIARY = String.raw`(?<!\b(?:may|can|cannot|must|will|would|could|should|to|not|has|have|had|that) )`;
const SENTENCE_VERB = String.raw`(?:is|are|was|were|means|stays|counts|goes|comes|becomes|remains|stands|belongs|gets|fails|must|cannot|can|may|will|has)\b(?! (?:been|to be)\b)`;

/**
 * Pattern and advice. Texts in backquotes and between double quotes have been removed before.
 *
 * @type {readonly (readonly [pattern: RegExp, advice: string])[]}
 */
export const UNCLEAR_WORDS = [
  [/\bshall\b/gi, 'write "must", "will" or "is to"'],
  [/\blest\b/gi, 'write "so that … not"'],
  [/\bthere(?:of|in|to|upon|unto|from|with)\b/gi, 'name the thing: "of the pod", "in the file"'],
  [/\b(?:hence|thence|whence|thus)\b/gi, 'write "so" or "therefore"'],
  [/\bwhere(?:of|in|by|upon|to|from|with)\b/gi, 'write "in which", "by which", or two sentences'],
  [
    /\b(?:here(?:in|by|tofore|upon)|hitherto|henceforth|forthwith)\b/gi,
    'write "here", "until now", "from now on" or "at once"',
  ],
  [/\b(?:albeit|notwithstanding|nevertheless|nonetheless)\b/gi, 'write "although", "but" or "still"'],
  [/\b(?:upon|amongst|whilst|unto|nought|naught)\b/gi, 'write "on", "among", "while", "to" or "nothing"'],
  [/\bin (?:its|his|her|their|whose) stead\b/gi, 'write "instead of it"'],
  [/\bto be had\b/gi, 'write "available", or who can get it'],
  [/\bfor (?:[\w’-]+ ){0,2}[\w’'-]+ sake\b(?! of)/gi, 'write "because of …" or "so that …"'],
  [/, be it\b/gi, 'write "also if it is"'],
  [/\bsave (?:for|that)\b/gi, 'write "except"'],
  [/\bas (?:much|many) as (?:is|are|was|were|fits?|goes)\b/gi, 'write "all that …", or the amount'],
  [/\b(?:whoever|whomever|whosoever)\b/gi, 'name who it is: "the user who …", "a program that …", "anyone who …"'],
  [/\bwhom(?= [\w`])/gi, 'make a second sentence, or use "who"'],
  [/\bthat which\b/gi, "name the thing"],
  [
    /(?<!\b(?:each|every|some|all|most|many|one|none|both|any|either|neither|two|three|half|part|because) |\bwhich [\w’'-]+ )\bof which\b/gi,
    "make a second sentence that names the thing",
  ],
  [/\bwithout which\b/gi, "make a second sentence that names the thing"],
  [new RegExp(String.raw`${BEGIN}Of (?:what|whatever)\b`, "g"), "begin with the subject and its verb"],
  [/\bwhat (?:nobody|nothing|none|no one|no)\b/gi, "name the thing, and say what is so"],
  [/\b(?:not|never|nothing|nobody|none) without\b/gi, 'say it positively: "only with …"'],
  [
    /\b(?:none|nothing|nobody|no one) (?:that|who|which) (?:is|are|does|do|did|has|have|had|can|was|were|will) not\b/gi,
    'say it positively: "all …", "everything …"',
  ],
  [
    /\bno [\w’'-]+ (?:that|who|which) (?:is|are|does|do|did|has|have|had|can|was|were|will) not\b/gi,
    'say it positively: "every …"',
  ],
  [
    /\b(?:all|none|nothing|nobody|no one|nowhere|anything|anybody|anyone|anywhere|everything|everybody|everyone|everywhere)(?: else)? but\b/gi,
    'write "only …" or "… except …"',
  ],
  [
    /\bno (?!longer\b|more\b|doubt\b)(?:[\w’'-]+ ){1,2}but (?=(?:a|an|the|those|that|its|their|one|what|here|there|this|to|by|in|from)\b)/gi,
    'write "only …", "… except …" or "It is …, not …"',
  ],
  [/(?<!\b(?:not|n't|only|no|never|nothing)\b[^.;]*)\bbut for\b/gi, 'write "except" or "without"'],
  [
    new RegExp(
      String.raw`${BEGIN}(?:Gone|Left|Kept|Lost|Missing|Told|Shown|Counted|Compared|Meant|Not \w+) (?:is|are)\b`,
      "g",
    ),
    "begin with the subject",
  ],
  [
    new RegExp(String.raw`${BEGIN}(?:Only (?:then|so|there|here|thus|now)|Neither|Nor|So) ${BE_OR_DO}\b`, "g"),
    "subject, verb, object: put the subject before the verb",
  ],
  [new RegExp(String.raw`\bnor (?:${BE_OR_DO}|needs?)\b`, "g"), 'write "and it does not …"'],
  [
    new RegExp(
      String.raw`[,;] as (?:is|are|was|were|does|do|did|has|have|had|can|may) (?=(?:an?|the|its|their|those|all|any|every|each|other|anything|everything|what|[A-Z]))`,
      "g",
    ),
    'put the subject before the verb: "as … does"',
  ],
  [
    new RegExp(
      String.raw`${BEGIN}What(?:ever)? ${NO_CLAUSE}\b${CLAUSE_VERB} ${NO_CLAUSE}${AUXILIARY}\b${SENTENCE_VERB}(?=[^.?!]*(?:[.!:;]|$))`,
      "g",
    ),
    'name the thing: not "What cannot be read means no." but "If it cannot be read, the answer is no."',
  ],
];
