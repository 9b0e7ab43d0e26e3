import type { containers as texts } from '../../en/administration/containers.ts';

export const containers: typeof texts = {
  containersLead: 'Контейнеры всех пользователей.',
  container: 'Контейнер',
  kind: 'Вид',
  kinds: { sandbox: 'Песочница', exam: 'Экзамен', laboratory: 'Лабораторная' },
  status: 'Состояние',
  statuses: { creating: 'Создаётся', running: 'Работает', stopped: 'Остановлен', failed: 'Сбой' },
  owner: 'Владелец',
  ends: 'Конец',
  deleteContainerHelp: 'Всё его содержимое пропадёт, открытый терминал пользователя закроется. Отменить это нельзя.',
  ofAttempt: 'уйдёт с попыткой',
  noContainersTitle: 'Контейнеров нет',
  noContainersHelp: 'Они появятся, как только кто-нибудь запустит контейнер.',
};
