/** The icons of courses that can be chosen, with further words by which they are found, in both languages. */
export const iconWords = {
  book: 'book книга lesson text reading урок чтение текст',
  terminal: 'terminal терминал shell console command line bash оболочка консоль командная строка',
  server: 'server сервер machine host service машина узел служба',
  network: 'network сеть lan router switch маршрутизатор коммутатор',
  shield: 'security безопасность shield protection firewall щит защита',
  database: 'database база данных sql data postgresql данные',
  storage: 'storage хранилище disk drive files диск файлы',
  cloud: 'cloud облако hosting kubernetes хостинг',
  code: 'code код programming script программирование скрипт',
  git: 'git git branch version control ветка версии',
  container: 'container контейнер docker podman image образ докер',
  globe: 'web веб globe internet site http интернет сайт',
  tools: 'tools инструменты wrench settings maintenance ключ настройка обслуживание',
};

export type IconName = keyof typeof iconWords;
