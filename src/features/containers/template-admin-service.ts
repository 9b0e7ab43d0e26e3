import type { TemplateAdminStore } from './template-admin-store.ts';

/** Sandbox templates for those who make them. Sandboxes that were made from one keep what they were made with. */
export class TemplateAdminService {
  readonly templates: TemplateAdminStore;

  constructor(templates: TemplateAdminStore) {
    this.templates = templates;
  }
}
