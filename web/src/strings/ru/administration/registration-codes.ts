import type { registrationCodes as texts } from '../../en/administration/registration-codes.ts';

export const registrationCodes: typeof texts = {
  codesLead: 'С кодом люди сами регистрируются как студенты.',
  codesUnused: {
    open: 'Регистрация открыта: код никому не нужен.',
    domain: 'Регистрация по домену почты: код никому не нужен.',
    closed: 'Регистрация закрыта: код никого не пустит.',
  },
  codesUnusedHelp: 'Коды действуют при настройке REGISTRATION=code.',
  newCode: 'Новый код',
  code: 'Код',
  note: 'Заметка',
  noteHelp: 'Для кого он, например для группы',
  uses: 'Использован',
  usesOf: (uses, most) => `${uses} из ${most}`,
  maxUses: 'Использований не больше',
  maxUsesHelp: 'Оставьте пустым, если без ограничения.',
  expires: 'Истекает',
  expiresHelp: 'Оставьте пустым, если никогда.',
  codeStates: { valid: 'Действует', expired: 'Истёк', usedUp: 'Использован' },
  codeCreated: (code) => `Код: ${code}`,
  withdraw: 'Отозвать',
  withdrawTitle: (code) => `Отозвать ${code}?`,
  withdrawHelp: 'С ним больше никто не зарегистрируется. Зарегистрированные пользователи останутся.',
  withdrawn: (code) => `${code} отозван`,
  noCodesTitle: 'Кодов ещё нет',
  noCodesHelp: 'Создайте код и дайте его группе.',
};
