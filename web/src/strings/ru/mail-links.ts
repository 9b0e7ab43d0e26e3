import type { mailLinks as en } from '../en/mail-links.ts';

export const mailLinks: typeof en = {
  forgottenLead: 'Введите адрес учётной записи. Ссылка для нового пароля придёт по почте.',
  sendLink: 'Отправить ссылку',
  linkSent: (address: string) =>
    `Если есть учётная запись с адресом ${address}, письмо в пути. Ссылка действует 30 минут.`,
  backToLogin: 'Вернуться ко входу',
  newPassword: 'Новый пароль',
  passwordChanged: 'Пароль изменён, остальные входы завершены.',
  confirmAddress: 'Подтвердить адрес',
  addressConfirmed: 'Адрес подтверждён.',
};
