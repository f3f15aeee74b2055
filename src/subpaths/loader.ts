// bearings/loader: what is done with a bundle once it is there. Pure: runs wherever JavaScript does.

export { canonicalJson } from '../canonical-json.ts';
export type { LoadOptions } from '../loader/bundle/arguments.ts';
export type { Bundle, LoadArguments } from '../loader/bundle/bundle.ts';
export { type BundleChange, type BundleDiff, diffBundles } from '../loader/bundle/diff.ts';
export type { Explanation } from '../loader/bundle/explain.ts';
export type { Dropped, DropReason, FileEntry } from '../loader/bundle/fill.ts';
export type { Provenance } from '../loader/bundle/provenance.ts';
export { parseReceipt, type Receipt, type StaleReason } from '../loader/bundle/receipt.ts';
export { renderMarkdown } from '../loader/bundle/render-markdown.ts';
export { renderXml } from '../loader/bundle/render-xml.ts';
export type { Policy } from '../loader/policy/policy.ts';
