// The list of what one session proposed, between the server and the page.
import type { Binding } from './wire.ts';

interface ListedText {
  binding: Binding;
  content: string;
  /** A date to look at it again. */
  until: string | null;
}

export interface ListedLine {
  own: ListedText;
  target: string;
  /** Why it matters, in one line. */
  why: string;
  /** Of the same session, and nearly the same. */
  repeats: ListedText[];
}

export interface SessionListPage {
  client: string;
  /** Null: it was proposed outside of any workspace. */
  image_id: string | null;
  created_at: string;
  /** How many of the session wait. */
  total: number;
  /** How many of those on this page come by themselves. */
  others: number;
  /** The first of them; null: none. */
  next: string | null;
  minutes: number;
  /** None: they are better decided one by one. */
  lines: ListedLine[];
}
