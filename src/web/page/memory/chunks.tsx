import type { ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Got } from '../api.ts';

const LINE_HEIGHT = 24;

export type Passage = Got<'/api/chunk'>[number];

interface Drawing {
  /** Changes when they are to be read again. */
  stamp: number;
  fetchChunk: (at: number) => Promise<Passage[]>;
  draw: (passage: Passage) => ComponentChild;
}

interface Props extends Drawing {
  chunks: Got<'/api/file'>['chunks'];
  /** The first of them is there already. */
  head: Passage[];
}

// A long text in pieces: those near the window are there, the others keep only their height.
export function Chunks({ chunks, head, ...drawing }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState<ReadonlySet<number>>(new Set([0]));
  useEffect(() => {
    const inView = new Set<number>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const at = Number((target as HTMLElement).dataset.at);
          if (isIntersecting) inView.add(at);
          else inView.delete(at);
        }
        setNear(new Set(inView));
      },
      { root: ref.current?.closest('.scroll') ?? null, rootMargin: '800px 0px' },
    );
    for (const child of ref.current?.children ?? []) observer.observe(child);
    return () => observer.disconnect();
  }, [chunks.length]);
  return (
    <div class="chunks" ref={ref}>
      {chunks.map(({ lines }, at) => (
        <Chunk key={at} at={at} lines={lines} known={at === 0 ? head : null} isNear={near.has(at)} {...drawing} />
      ))}
    </div>
  );
}

interface ChunkProps extends Drawing {
  at: number;
  lines: number;
  known: Passage[] | null;
  isNear: boolean;
}

function Chunk({ at, lines, known, isNear, stamp, fetchChunk, draw }: ChunkProps) {
  const ref = useRef<HTMLDivElement>(null);
  const height = useRef(lines * LINE_HEIGHT);
  const [passages, setPassages] = useState(known);
  useEffect(() => {
    if (known) return setPassages(known);
    if (!isNear) {
      if (ref.current && passages) height.current = ref.current.offsetHeight;
      return setPassages(null);
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
      {passages?.map(draw)}
    </div>
  );
}
