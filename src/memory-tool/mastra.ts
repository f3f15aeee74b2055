import { encodedName, type MemoryAccess } from './store.ts';

interface Resource {
  id: string;
  workingMemory?: string;
  metadata?: Record<string, unknown>;
  createdAt: Date;
  updatedAt: Date;
}

/** The part of Mastra's memory storage that holds what lasts from one thread to the next. */
export interface ResourceStorage {
  getResourceById(request: { resourceId: string }): Promise<Resource | null>;
  saveResource(request: { resource: Resource }): Promise<Resource>;
  updateResource(request: {
    resourceId: string;
    workingMemory?: string;
    metadata?: Record<string, unknown>;
  }): Promise<Resource>;
}

/**
 * The same storage with the gate in front of the working memory of a resource: that is a file of the memory tool, and
 * the storage below never holds it. Threads and their messages stay as they are.
 */
export function gatedResources<S extends ResourceStorage>(storage: S, tool: MemoryAccess): S {
  const pathOf = (id: string) => `/memories/resources/${encodedName(id)}.md`;
  const withText = async (resource: Resource): Promise<Resource> => {
    const { workingMemory: _, ...rest } = resource;
    const text = await tool.read(pathOf(resource.id));
    return text === null ? rest : { ...rest, workingMemory: text };
  };
  const write = async (id: string, text: string | undefined) => {
    if (text !== undefined) await tool.write(pathOf(id), text.trim() === '' ? null : text);
  };
  const gated: ResourceStorage = {
    async getResourceById({ resourceId }) {
      const stored = await storage.getResourceById({ resourceId });
      if (stored) return withText(stored);
      const epoch = new Date(0);
      const resource = await withText({ id: resourceId, createdAt: epoch, updatedAt: epoch });
      return resource.workingMemory === undefined ? null : resource;
    },
    async saveResource({ resource: { workingMemory, ...rest } }) {
      await write(rest.id, workingMemory);
      return withText(await storage.saveResource({ resource: rest }));
    },
    async updateResource({ workingMemory, ...rest }) {
      await write(rest.resourceId, workingMemory);
      return withText(await storage.updateResource(rest));
    },
  };
  return new Proxy(storage, {
    get(target, name) {
      if (Object.hasOwn(gated, name)) return gated[name as keyof ResourceStorage];
      const value: unknown = Reflect.get(target, name, target);
      // Adapters keep their connection in private fields, which a proxy has not.
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
