// bearings/loader: what is done with a bundle once it is there. Pure: runs wherever JavaScript does.

export { canonicalJson } from '../canonical-json.ts';
export type { LoadOptions } from '../loader/arguments.ts';
export type { Bundle, LoadArguments } from '../loader/bundle.ts';
export { type BundleChange, type BundleDiff, diffBundles } from '../loader/diff.ts';
export type { Explanation } from '../loader/explain.ts';
export type { Dropped, DropReason, FileEntry } from '../loader/fill.ts';
export type { Policy } from '../loader/policy.ts';
export type { Provenance } from '../loader/provenance.ts';
export { parseReceipt, type Receipt, type StaleReason } from '../loader/receipt.ts';
export { renderMarkdown } from '../loader/render-markdown.ts';
export { renderXml } from '../loader/render-xml.ts';
