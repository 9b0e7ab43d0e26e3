/** Templates of sandboxes. */
export const templates = {
  templatesLead: 'Students create sandboxes from these templates. They are offered in this order.',
  newTemplate: 'New template',
  image: 'Image',
  description: 'Description',
  memory: 'Memory, MB',
  processors: 'Processors',
  hasInternet: 'Internet',
  hasInternetHelp: 'Without it, a container has no network access.',
  minimumRole: 'Who can use it',
  minimumRoleHelp: 'Users with a lower role do not see it. Use this for templates with internet.',
  minimumRoles: {
    student: 'Everybody',
    instructor: 'Instructors and administrators',
    admin: 'Administrators',
  },
  offered: 'Offered',
  offeredShort: 'Offered',
  moveUp: (name: string) => `Move ${name} up`,
  moveDown: (name: string) => `Move ${name} down`,
  moved: (name: string, place: number) => `${name} is now number ${place}`,
  size: 'Size',
  sizeOf: (memory: number, cpus: string) => `${memory} MB, ${cpus} CPU`,
  deleteTemplateHelp:
    'Sandboxes that were created from it are kept. Lessons that use it use the template of their section or course instead.',
  noTemplatesTitle: 'There are no templates yet',
  noTemplatesHelp: 'Students need a template to create a sandbox. Laboratories and exams have their own images.',
};
