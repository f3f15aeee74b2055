import { useEffect, useRef, useState } from 'preact/hooks';
import type { FilePage, Passage } from '../wire.ts';

const LINE_HEIGHT = 24;

// A long text in pieces: those near the window are there, the others keep only their height.
export function Chunks({
  chunks,
  head,
  stamp,
  fetchChunk,
  draw,
}: {
  chunks: FilePage['chunks'];
  /** The first of them is there already. */
  head: Passage[];
  stamp: number;
  fetchChunk: (at: number) => Promise<Passage[]>;
  draw: (passage: Passage) => preact.ComponentChild;
}) {
  const ref = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState<ReadonlySet<number>>(new Set([0]));
  const count = chunks.length;
  useEffect(() => {
    const seenNow = new Set<number>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const at = Number((target as HTMLElement).dataset.at);
          if (isIntersecting) seenNow.add(at);
          else seenNow.delete(at);
        }
        setNear(new Set(seenNow));
      },
      { root: ref.current?.closest('.scroll') ?? null, rootMargin: '800px 0px' },
    );
    for (const child of ref.current?.children ?? []) observer.observe(child);
    return () => observer.disconnect();
  }, [count]);
  return (
    <div class="chunks" ref={ref}>
      {chunks.map(({ lines }, at) => (
        <Chunk
          key={at}
          at={at}
          lines={lines}
          known={at === 0 ? head : null}
          isNear={near.has(at)}
          stamp={stamp}
          fetchChunk={fetchChunk}
          draw={draw}
        />
      ))}
    </div>
  );
}

function Chunk({
  at,
  lines,
  known,
  isNear,
  stamp,
  fetchChunk,
  draw,
}: {
  at: number;
  lines: number;
  known: Passage[] | null;
  isNear: boolean;
  stamp: number;
  fetchChunk: (at: number) => Promise<Passage[]>;
  draw: (passage: Passage) => preact.ComponentChild;
}) {
  const ref = useRef<HTMLDivElement>(null);
  const height = useRef(lines * LINE_HEIGHT);
  const [passages, setPassages] = useState(known);
  useEffect(() => {
    if (known) {
      setPassages(known);
      return;
    }
    if (!isNear) {
      if (ref.current && passages) height.current = ref.current.offsetHeight;
      setPassages(null);
      return;
    }
    let current = true;
    void fetchChunk(at).then(
      (found) => current && setPassages(found),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [isNear, at, known, stamp, fetchChunk]);
  return (
    <div ref={ref} data-at={at} style={passages ? {} : { height: `${height.current}px` }}>
      {passages?.map((passage) => draw(passage))}
    </div>
  );
}
