import type { ErrorCode } from '../../api/problem.ts';

/** Errors that the first pages can show, by code. The others are in refusals.ts. */
const codes = {
  bad_request: 'The service could not read this request.',
  body_too_large: 'This request is too large.',
  changed_meanwhile: 'Somebody else changed this at the same time. Check the new values, then repeat your change.',
  conflict: 'This conflicts with the stored data.',
  database_unavailable: 'The database cannot be reached right now.',
  email_taken: 'This email address is already taken.',
  forbidden: 'You are not allowed to do this.',
  headers_too_large: 'The service could not read this request.',
  internal: 'The service failed. The error was logged.',
  method_not_allowed: 'The service does not know this request.',
  not_found: 'This does not exist, or it is not yours.',
  local_login_off: 'Log in with your school: this account uses no password here.',
  login_locked: 'This account is taking an exam in another login. Ask your supervisor to release it.',
  too_many_wrong_invitations: 'Too many wrong invitations.',
  overloaded: 'The service is overloaded right now. Try again in a moment.',
  registration_closed: 'Registration is closed. Ask an administrator for an account.',
  registration_code_missing: 'Enter your registration code.',
  registration_domain: 'Registration is limited to certain email addresses.',
  request_timeout: 'The request took too long.',
  stopping: 'The service is restarting. Try again in a moment.',
  too_many_logins:
    'Too many attempts to log in. If others in your room are refused as well, tell your teacher: an administrator can raise the limit.',
  too_many_registration_codes: 'Too many wrong registration codes.',
  too_many_registrations:
    'There are too many registrations from your network. If others in your room are refused as well, tell your teacher: an administrator can raise the limit.',
  too_many_requests: 'Too many requests at the same time.',
  unauthorized: 'Log in again.',
  unavailable: 'The service cannot do this right now.',
  unsupported_media_type: 'The service does not accept this type of file.',
  upgrade_required: 'The service does not know this request.',
  username_taken: 'This username is already taken.',
  validation: 'Some values are not valid.',
  second_factor_required: 'Enter the code as well.',
  wrong_second_factor: 'The code is wrong, or was used already. Wait for the next one.',
  wrong_credentials: 'The username or the password is wrong.',
  wrong_invitation:
    'This invitation is not valid. It may have expired, been replaced or been used. Ask for another one.',
  wrong_registration_code: 'This code is not valid. It may have expired or been used up.',
} satisfies Partial<Record<ErrorCode, string>>;

/** Problems of a field, by the type of the 422's item. */
const types: Record<string, string> = {
  missing: 'This is required.',
  string_too_short: 'This is too short.',
  string_too_long: 'This is too long.',
  string_type: 'Enter text.',
  string_pattern_mismatch: 'This has an invalid format.',
  string_unicode: 'This has characters that cannot be stored.',
  int_parsing: 'Enter a whole number.',
  int_from_float: 'Enter a whole number.',
  int_type: 'Enter a whole number.',
  float_parsing: 'Enter a number.',
  float_type: 'Enter a number.',
  bool_parsing: 'Choose yes or no.',
  bool_type: 'Choose yes or no.',
  greater_than: 'This number is too small.',
  greater_than_equal: 'This number is too small.',
  less_than_equal: 'This number is too large.',
  enum: 'Choose one of the values.',
  too_short: 'There are too few of these.',
  too_long: 'There are too many of these.',
  datetime_parsing: 'Enter a date and a time.',
  list_type: 'This has an invalid format.',
  model_attributes_type: 'This has an invalid format.',
  json_invalid: 'The service could not read this request.',
};

/** Texts of a `value_error` at fields with their own rule. */
const values: Record<string, string> = {
  email: 'This is not a valid email address, or mail cannot reach its domain.',
  password: 'This password is too long. The limit is 72 bytes.',
  new_password: 'This password is too long. The limit is 72 bytes.',
  file: 'This picture is damaged or empty.',
  task_ids: 'The list of tasks is out of date. Reload the page.',
};

export const errors = { codes, types, values };
