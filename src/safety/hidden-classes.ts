// What draws nothing, moves the cursor, reorders its neighbours or is no character that everybody sees alike: the inside of
// a character class of a regular expression. Noncharacters are unassigned; three more are drawn as nothing but blank.
export const HIDDEN_CLASSES =
  '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cn}\\p{Default_Ignorable_Code_Point}\\u2800\\u{16fe4}\\u{1d159}';

// Unicode reserves places for emoji to come: a Node that is older than an emoji still knows that it is one.
export const RESERVED_PICTURE = '(?=\\p{Extended_Pictographic})\\p{Cn}';
