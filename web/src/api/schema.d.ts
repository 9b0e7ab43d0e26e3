// Written from /api/openapi.json, see test/web/api-types.test.ts.
export interface paths {
    "/api/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register as a student
         * @description Who may register is answered by `GET /api/auth/registration`; others are told 403. 429: too many of one network in an hour, or too many wrong codes.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Registration"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/registration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who may register
         * @description `open`: anybody; `domain`: with an e-mail address of one of the `domains`; `code`: with a registration code; `closed`: nobody.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RegistrationRules"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description JSON, or the same two fields as a form (the OAuth2 password form).
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Login"];
                    "application/x-www-form-urlencoded": components["schemas"]["Login"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The current user */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A fresh token for a valid one */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refuse all tokens issued until now */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            detail: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the password
         * @description Older tokens are refused afterwards; the answer holds a fresh one. Wrong old passwords count as failed logins: too many are 429.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordChange"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lessons/courses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The courses with their sections and themes, and how far the caller is
         * @description In the order of `order_index`, then `id`. Courses and sections that are not active are for administrators only.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Course"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lessons/themes/{theme_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A theme, with its neighbours in the course */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    theme_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Theme"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lessons/themes/{theme_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The theme's text in Markdown
         * @description A JSON string, or the text itself for `Accept: text/markdown` or `text/plain`. `If-None-Match` is honoured.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    theme_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The Markdown text. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": string;
                        "text/markdown": string;
                        "text/plain": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lessons/themes/{theme_id}/files/{*}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A picture or another file that the theme's text refers to
         * @description Only files that the Markdown refers to, of these kinds: PNG, JPEG, GIF, WebP, SVG, PDF, plain text. A path that begins with `../` or `/` is sent with its slashes as `%2F`.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    theme_id: number;
                    /** @description Relative to the folder of the theme's Markdown file, percent-encoded. */
                    "*": string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The file. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/png": string;
                        "image/jpeg": string;
                        "image/gif": string;
                        "image/webp": string;
                        "image/svg+xml": string;
                        "application/pdf": string;
                        "text/plain": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lessons/themes/{theme_id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a theme complete
         * @description Once more is no mistake: the time is renewed, and the activity feed is told only the first time.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    theme_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ThemeProgress"];
                    };
                };
            };
        };
        /** Take a completion back */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    theme_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ThemeProgress"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lessons/refresh-repository": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring the lessons repository up to date now */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RepositoryRefresh"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sandbox templates that the caller can use */
        get: {
            parameters: {
                query?: {
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SandboxTemplate"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/containers/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a sandbox
         * @description From a template, or the first one. A user has a limited number of sandboxes: one more is 409. A template for a higher role is 404, as one that does not exist. 503 without room: a part of it is kept for exams and laboratories.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        template_id?: number | null;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Container"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/containers/sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's sandboxes */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Container"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/containers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One of the caller's containers */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Container"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete a sandbox and all that is in it */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            detail: string;
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/containers/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a sandbox
         * @description Succeeds where it is so already. 409 for the container of an attempt, and for a sandbox that was stopped because its disk was full. 503 without room.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Container"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/containers/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a sandbox
         * @description Succeeds where it is so already. 409 for the container of an attempt.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Container"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Exams with their tasks */
        get: {
            parameters: {
                query?: {
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Exam"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exams/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One exam with its tasks */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Exam"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exams/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start an attempt
         * @description Creates a container for it and starts the clock. What its terminals show is recorded, for instructors to see; tell the student so. One attempt at a time, whatever the exam: a second is 409.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StartedExam"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exams/{id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit the active attempt and have it graded
         * @description Answers with the full results. The grading goes on when the client leaves. 503 when it failed part-way: the work is kept, the verdicts are not; submit again.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamResults"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exams/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's attempts, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamAttempt"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exams/attempts/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An attempt with its results
         * @description Students get the results of an exam when the attempt has ended; instructors and administrators at any time.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamResults"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exams/attempts/{id}/abandon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give an attempt up, without a result */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamAttempt"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exams/attempts/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's active attempt */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamResults"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/laboratories/section/{section_id}/laboratory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The laboratory of a section */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    section_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Laboratory"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/laboratories/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grade the active attempt for practice, without ending it
         * @description Answers with the results as they are now; the attempt stays `in_progress`, and `score` tells the points so far. 409 while it is being submitted, or when its time is over.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LaboratoryResults"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/laboratories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One laboratory with its tasks */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Laboratory"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/laboratories/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start an attempt, or go on with the active one
         * @description 201 with a new attempt and its container; 200 with the attempt of this laboratory that is active already. Without a time limit of its own an attempt is graded as it stands after `SANDBOX_MAX_HOURS`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StartedLaboratory"];
                    };
                };
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StartedLaboratory"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/laboratories/{id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit the active attempt and have it graded
         * @description Answers with the full results. The grading goes on when the client leaves. 503 when it failed part-way: the work is kept, the verdicts are not; submit again.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LaboratoryResults"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/laboratories/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's attempts, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LaboratoryAttempt"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/laboratories/attempts/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An attempt with its results */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LaboratoryResults"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/laboratories/attempts/{id}/abandon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give an attempt up, without a result */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LaboratoryAttempt"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/laboratories/attempts/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's active attempts, newest first: at most one of each laboratory */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LaboratoryResults"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instructor/attempts/{id}/recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The recordings of an exam attempt's terminals, oldest first
         * @description One a shell. Empty where no terminal was opened, or they are older than `RECORDING_DAYS`. Laboratories are not recorded: their attempts are 404.
         */
        get: {
            parameters: {
                query?: {
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Recording"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instructor/recordings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A recording, to download
         * @description An [asciicast v2](https://docs.asciinema.org/manual/asciicast/v2/) file of output and changes of size; of one that is being written, what there is until now. What was typed is in it only where the terminal showed it.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The recording. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/x-asciicast": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Users, in the order of their ids */
        get: {
            parameters: {
                query?: {
                    /** @description Text in the username, the e-mail address or the full name. */
                    q?: string;
                    role?: "student" | "instructor" | "admin";
                    is_active?: boolean;
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a user
         * @description A student without `role`. A username or e-mail address that is taken is 400, as at registration.
         */
        post: {
            parameters: {
                query?: {
                    username?: string;
                    email?: string;
                    /** @description 8 characters to 72 bytes (bcrypt reads no more). */
                    password?: string;
                    full_name?: string | null;
                    role?: "student" | "instructor" | "admin";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        username?: string;
                        /** Format: email */
                        email?: string;
                        /**
                         * Format: bytes72
                         * @description 8 characters to 72 bytes (bcrypt reads no more).
                         */
                        password?: string;
                        full_name?: string | null;
                        /** @enum {string} */
                        role?: "student" | "instructor" | "admin";
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One user */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
            };
        };
        /**
         * Change a user
         * @description Fields that are left out stay. Another password, or deactivation, refuses all older tokens. 409: the last active administrator cannot be deactivated.
         */
        put: {
            parameters: {
                query?: {
                    full_name?: string | null;
                    email?: string;
                    is_active?: boolean;
                    /** @description 8 characters to 72 bytes (bcrypt reads no more). */
                    password?: string;
                };
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        full_name?: string | null;
                        /** Format: email */
                        email?: string;
                        is_active?: boolean;
                        /**
                         * Format: bytes72
                         * @description 8 characters to 72 bytes (bcrypt reads no more).
                         */
                        password?: string;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Delete a user
         * @description Containers, progress, attempts and activity go too. The last active administrator cannot be deleted: 409.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a user's role
         * @description In force from the next request on. The last active administrator cannot be demoted: 409.
         */
        put: {
            parameters: {
                query?: {
                    role?: "student" | "instructor" | "admin";
                };
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        role?: "student" | "instructor" | "admin";
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/containers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Containers of all users, newest first */
        get: {
            parameters: {
                query?: {
                    user_id?: number;
                    kind?: "sandbox" | "exam" | "laboratory";
                    status?: "creating" | "running" | "stopped" | "failed";
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: number;
                            name: string;
                            user_id: number;
                            /** @enum {string} */
                            kind: "sandbox" | "exam" | "laboratory";
                            image: string;
                            template_id: number | null;
                            /** @enum {string} */
                            status: "creating" | "running" | "stopped" | "failed";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            started_at: string | null;
                            /** Format: date-time */
                            stopped_at: string | null;
                            /**
                             * @description Why it was stopped, where that was not its user: nobody used it; room was needed and nobody used it; its disk was full.
                             * @enum {string|null}
                             */
                            stop_reason: "idle" | "room" | "disk" | null;
                            /** Format: date-time */
                            expires_at: string | null;
                            username: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/containers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Anybody's container */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: number;
                            name: string;
                            user_id: number;
                            /** @enum {string} */
                            kind: "sandbox" | "exam" | "laboratory";
                            image: string;
                            template_id: number | null;
                            /** @enum {string} */
                            status: "creating" | "running" | "stopped" | "failed";
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            started_at: string | null;
                            /** Format: date-time */
                            stopped_at: string | null;
                            /**
                             * @description Why it was stopped, where that was not its user: nobody used it; room was needed and nobody used it; its disk was full.
                             * @enum {string|null}
                             */
                            stop_reason: "idle" | "room" | "disk" | null;
                            /** Format: date-time */
                            expires_at: string | null;
                            username: string;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Delete anybody's sandbox and all that is in it
         * @description 409 for the container of an attempt.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Attempts of all users, newest first */
        get: {
            parameters: {
                query?: {
                    user_id?: number;
                    kind?: "exam" | "laboratory";
                    exam_id?: number;
                    laboratory_id?: number;
                    status?: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
                    passed?: boolean;
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            kind: "exam" | "laboratory";
                            laboratory_id: number | null;
                            exam_id: number | null;
                            id: number;
                            user_id: number;
                            title: string;
                            container_id: number | null;
                            container_name: string;
                            /** @enum {string} */
                            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
                            /** Format: date-time */
                            started_at: string;
                            /** Format: date-time */
                            submitted_at: string | null;
                            /** Format: date-time */
                            expires_at: string | null;
                            score: number | null;
                            max_score: number;
                            passing_score: number;
                            passed: boolean | null;
                            grading_error: string | null;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/attempts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Anybody's attempt with its results */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            kind: "exam" | "laboratory";
                            laboratory_id: number | null;
                            exam_id: number | null;
                            id: number;
                            user_id: number;
                            title: string;
                            container_id: number | null;
                            container_name: string;
                            /** @enum {string} */
                            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
                            /** Format: date-time */
                            started_at: string;
                            /** Format: date-time */
                            submitted_at: string | null;
                            /** Format: date-time */
                            expires_at: string | null;
                            score: number | null;
                            max_score: number;
                            passing_score: number;
                            passed: boolean | null;
                            grading_error: string | null;
                            integrity?: string[] | null;
                            /** @description Tasks that have been graded since the submission: its progress while it is graded. */
                            graded_count: number;
                            /** @description Of an exam, students get them when the attempt is `finished` or `expired`; until then the list is empty. */
                            results: components["schemas"]["TaskResult"][];
                        };
                    };
                };
            };
        };
        /**
         * Give an attempt more time
         * @description 409 unless it is in progress, has a time limit, and its time becomes longer by it.
         */
        put: {
            parameters: {
                query?: {
                    /** @description The whole time, from the start. */
                    time_limit_minutes?: number;
                };
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The whole time, from the start. */
                        time_limit_minutes?: number;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            kind: "exam" | "laboratory";
                            laboratory_id: number | null;
                            exam_id: number | null;
                            id: number;
                            user_id: number;
                            title: string;
                            container_id: number | null;
                            container_name: string;
                            /** @enum {string} */
                            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
                            /** Format: date-time */
                            started_at: string;
                            /** Format: date-time */
                            submitted_at: string | null;
                            /** Format: date-time */
                            expires_at: string | null;
                            score: number | null;
                            max_score: number;
                            passing_score: number;
                            passed: boolean | null;
                            grading_error: string | null;
                            integrity?: string[] | null;
                            /** @description Tasks that have been graded since the submission: its progress while it is graded. */
                            graded_count: number;
                            /** @description Of an exam, students get them when the attempt is `finished` or `expired`; until then the list is empty. */
                            results: components["schemas"]["TaskResult"][];
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/attempts/{id}/grade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grade an attempt again whose grading failed
         * @description Ends it as a submission does. 409 unless it is in progress and has a `grading_error`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            kind: "exam" | "laboratory";
                            laboratory_id: number | null;
                            exam_id: number | null;
                            id: number;
                            user_id: number;
                            title: string;
                            container_id: number | null;
                            container_name: string;
                            /** @enum {string} */
                            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
                            /** Format: date-time */
                            started_at: string;
                            /** Format: date-time */
                            submitted_at: string | null;
                            /** Format: date-time */
                            expires_at: string | null;
                            score: number | null;
                            max_score: number;
                            passing_score: number;
                            passed: boolean | null;
                            grading_error: string | null;
                            integrity?: string[] | null;
                            /** @description Tasks that have been graded since the submission: its progress while it is graded. */
                            graded_count: number;
                            /** @description Of an exam, students get them when the attempt is `finished` or `expired`; until then the list is empty. */
                            results: components["schemas"]["TaskResult"][];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Activity of all users, administrative acts too, newest first */
        get: {
            parameters: {
                query?: {
                    user_id?: number;
                    actor_id?: number;
                    type?: string;
                    entity_type?: string;
                    entity_id?: number;
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: number;
                            type: string;
                            title: string;
                            user_id: number | null;
                            username: string | null;
                            actor_id: number | null;
                            actor_username: string | null;
                            entity_type: string | null;
                            entity_id: number | null;
                            details: {
                                [key: string]: unknown;
                            } | null;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How the service stands */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            users: {
                                student: number;
                                instructor: number;
                                admin: number;
                            };
                            /** @description Running ones by kind; `warm` wait for an attempt. */
                            containers: {
                                sandbox: number;
                                exam: number;
                                laboratory: number;
                                warm: number;
                            };
                            attempts: {
                                in_progress: number;
                                grading: number;
                                finished: number;
                                abandoned: number;
                                expired: number;
                            };
                            /** @description Entries by type, among the newest 50,000. */
                            activity_last_24_hours: {
                                [key: string]: number;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The state of the service, its engine, its database and its disk
         * @description Uptime, memory, `grading`, `container_starts` and `open_terminals` are those of the process that answers.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            service: {
                                version: string;
                                node_version: string;
                                uptime_seconds: number;
                                memory_bytes: number;
                                /** @description Of the service, on this database. */
                                processes: number;
                            };
                            engine: {
                                is_reachable: boolean;
                                problem: string | null;
                                name: string | null;
                                version: string | null;
                            };
                            database: {
                                version: string;
                                size_bytes: number;
                            };
                            /** @description The disk of the data folder. */
                            disk: {
                                total_bytes: number;
                                free_bytes: number;
                            };
                            /** @description Containers that are made before anybody starts an exam. */
                            warm_pool: {
                                wanted: number;
                                ready: number;
                            };
                            /** @description Gradings. */
                            grading: {
                                running: number;
                                waiting: number;
                            };
                            /** @description Containers that are being made. */
                            container_starts: {
                                running: number;
                                waiting: number;
                            };
                            open_terminals: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create users from a CSV
         * @description Columns `username,email,full_name,role` and, optionally, `password`, named in the first line; at most 500 users. All are created or none: 422 names each problem, its line as the second part of `loc`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "text/csv": string;
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: number;
                            username: string;
                            email: string;
                            /** @enum {string} */
                            role: "student" | "instructor" | "admin";
                            full_name: string | null;
                            avatar_url: string | null;
                            is_active: boolean;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            last_login_at: string | null;
                            password: string | null;
                        }[];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Users as a CSV
         * @description With the filters of the list. A cell that a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Text in the username, the e-mail address or the full name. */
                    q?: string;
                    role?: "student" | "instructor" | "admin";
                    is_active?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The users. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/registration-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All registration codes, the newest first
         * @description Expired and used up ones are among them.
         */
        get: {
            parameters: {
                query?: {
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RegistrationCode"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a registration code
         * @description It is needed where `REGISTRATION` is `code`. Without `expires_at` it does not expire; without `max_uses` it can be used any number of times.
         */
        post: {
            parameters: {
                query?: {
                    note?: string | null;
                    expires_at?: string | null;
                    max_uses?: number | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        note?: string | null;
                        expires_at?: string | null;
                        max_uses?: number | null;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RegistrationCode"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/registration-codes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw a registration code
         * @description Users who registered with it stay.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/lessons/courses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All courses, inactive ones too */
        get: {
            parameters: {
                query?: {
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CourseDetails"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a course
         * @description Without an `order_index` it comes last; without a `slug` one is made from the name. 409: the slug is taken.
         */
        post: {
            parameters: {
                query?: {
                    name?: string;
                    description?: string;
                    icon?: string;
                    order_index?: number;
                    slug?: string;
                    is_active?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name?: string;
                        description?: string;
                        icon?: string;
                        order_index?: number;
                        slug?: string;
                        is_active?: boolean;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CourseDetails"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/lessons/courses/{course_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One course */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    course_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CourseDetails"];
                    };
                };
            };
        };
        /**
         * Change a course
         * @description Fields that are left out stay. 409: the slug is taken.
         */
        put: {
            parameters: {
                query?: {
                    name?: string;
                    description?: string;
                    icon?: string;
                    order_index?: number;
                    slug?: string;
                    is_active?: boolean;
                };
                header?: never;
                path: {
                    course_id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name?: string;
                        description?: string;
                        icon?: string;
                        order_index?: number;
                        slug?: string;
                        is_active?: boolean;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CourseDetails"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Delete a course
         * @description Sections, themes and their progress go with it; exams stay, without a course.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    course_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/lessons/sections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All sections, or those of one course, inactive ones too */
        get: {
            parameters: {
                query?: {
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                    course_id?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SectionDetails"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a section
         * @description Without an `order_index` it comes last; without a `slug` one is made from the name. 409: the slug is taken.
         */
        post: {
            parameters: {
                query?: {
                    name?: string;
                    course_id?: number;
                    order_index?: number;
                    slug?: string;
                    is_active?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name?: string;
                        course_id?: number;
                        order_index?: number;
                        slug?: string;
                        is_active?: boolean;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SectionDetails"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/lessons/sections/{section_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One section */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    section_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SectionDetails"];
                    };
                };
            };
        };
        /**
         * Change a section
         * @description Fields that are left out stay. Another `course_id` moves it. 409: the slug is taken.
         */
        put: {
            parameters: {
                query?: {
                    name?: string;
                    course_id?: number;
                    order_index?: number;
                    slug?: string;
                    is_active?: boolean;
                };
                header?: never;
                path: {
                    section_id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name?: string;
                        course_id?: number;
                        order_index?: number;
                        slug?: string;
                        is_active?: boolean;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SectionDetails"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Delete a section
         * @description Themes and their progress go with it; its laboratory stays, without a section.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    section_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/lessons/themes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All themes, or those of one section, inactive ones too */
        get: {
            parameters: {
                query?: {
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                    section_id?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ThemeDetails"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a theme
         * @description Without an `order_index` it comes last; without a `slug` one is made from the title. 409: the slug is taken.
         */
        post: {
            parameters: {
                query?: {
                    title?: string;
                    section_id?: number;
                    /** @description Relative to the root of the lessons repository; no `..`, no leading slash, no backslash. */
                    markdown_file_path?: string;
                    order_index?: number;
                    slug?: string;
                    duration_minutes?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        title?: string;
                        section_id?: number;
                        /** @description Relative to the root of the lessons repository; no `..`, no leading slash, no backslash. */
                        markdown_file_path?: string;
                        order_index?: number;
                        slug?: string;
                        duration_minutes?: number;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ThemeDetails"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/lessons/themes/{theme_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One theme */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    theme_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ThemeDetails"];
                    };
                };
            };
        };
        /**
         * Change a theme
         * @description Fields that are left out stay. Another `section_id` moves it. 409: the slug is taken.
         */
        put: {
            parameters: {
                query?: {
                    title?: string;
                    section_id?: number;
                    /** @description Relative to the root of the lessons repository; no `..`, no leading slash, no backslash. */
                    markdown_file_path?: string;
                    order_index?: number;
                    slug?: string;
                    duration_minutes?: number;
                };
                header?: never;
                path: {
                    theme_id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        title?: string;
                        section_id?: number;
                        /** @description Relative to the root of the lessons repository; no `..`, no leading slash, no backslash. */
                        markdown_file_path?: string;
                        order_index?: number;
                        slug?: string;
                        duration_minutes?: number;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ThemeDetails"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Delete a theme
         * @description The progress of everybody in it goes with it; the Markdown file stays.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    theme_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sandbox-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All sandbox templates, inactive ones too */
        get: {
            parameters: {
                query?: {
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SandboxTemplate"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a sandbox template
         * @description Without an `order_index` it comes last; without a `slug` one is made from the name. 409: the slug is taken.
         */
        post: {
            parameters: {
                query?: {
                    name?: string;
                    image?: string;
                    memory_mb?: number;
                    cpus?: number;
                    description?: string;
                    has_internet?: boolean;
                    /** @description Users below this role neither see the template nor make sandboxes from it. */
                    minimum_role?: "student" | "instructor" | "admin";
                    order_index?: number;
                    slug?: string;
                    is_active?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name?: string;
                        image?: string;
                        memory_mb?: number;
                        cpus?: number;
                        description?: string;
                        has_internet?: boolean;
                        /**
                         * @description Users below this role neither see the template nor make sandboxes from it.
                         * @enum {string}
                         */
                        minimum_role?: "student" | "instructor" | "admin";
                        order_index?: number;
                        slug?: string;
                        is_active?: boolean;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SandboxTemplate"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/sandbox-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One sandbox template */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SandboxTemplate"];
                    };
                };
            };
        };
        /**
         * Change a sandbox template
         * @description Fields that are left out stay. Sandboxes that exist keep what they were made with, also those of users below a new `minimum_role`.
         */
        put: {
            parameters: {
                query?: {
                    name?: string;
                    image?: string;
                    memory_mb?: number;
                    cpus?: number;
                    description?: string;
                    has_internet?: boolean;
                    /** @description Users below this role neither see the template nor make sandboxes from it. */
                    minimum_role?: "student" | "instructor" | "admin";
                    order_index?: number;
                    slug?: string;
                    is_active?: boolean;
                };
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        name?: string;
                        image?: string;
                        memory_mb?: number;
                        cpus?: number;
                        description?: string;
                        has_internet?: boolean;
                        /**
                         * @description Users below this role neither see the template nor make sandboxes from it.
                         * @enum {string}
                         */
                        minimum_role?: "student" | "instructor" | "admin";
                        order_index?: number;
                        slug?: string;
                        is_active?: boolean;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SandboxTemplate"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Delete a sandbox template
         * @description Sandboxes that were made from it stay.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/exams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All exams, inactive ones too */
        get: {
            parameters: {
                query?: {
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Exam"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create an exam
         * @description Without an `order_index` it comes last.
         */
        post: {
            parameters: {
                query?: {
                    title?: string;
                    description?: string;
                    container_image?: string;
                    /** @description In points. */
                    passing_score?: number;
                    /** @description False: a draft, which students do not see. */
                    is_active?: boolean;
                    time_limit_minutes?: number;
                    course_id?: number | null;
                    order_index?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        title?: string;
                        description?: string;
                        container_image?: string;
                        /** @description In points. */
                        passing_score?: number;
                        /** @description False: a draft, which students do not see. */
                        is_active?: boolean;
                        time_limit_minutes?: number;
                        course_id?: number | null;
                        order_index?: number;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Exam"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/exams/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One exam */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Exam"];
                    };
                };
            };
        };
        /**
         * Change an exam
         * @description Fields that are left out stay; an attempt under way keeps its time and passing score. `is_active` false retires it. 409: it comes back, or goes from a draft to students, by publishing.
         */
        put: {
            parameters: {
                query?: {
                    title?: string;
                    description?: string;
                    container_image?: string;
                    /** @description In points. */
                    passing_score?: number;
                    /** @description False: a draft, which students do not see. */
                    is_active?: boolean;
                    time_limit_minutes?: number;
                    course_id?: number | null;
                    order_index?: number;
                };
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        title?: string;
                        description?: string;
                        container_image?: string;
                        /** @description In points. */
                        passing_score?: number;
                        /** @description False: a draft, which students do not see. */
                        is_active?: boolean;
                        time_limit_minutes?: number;
                        course_id?: number | null;
                        order_index?: number;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Exam"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Delete an exam
         * @description One that was attempted becomes inactive: it disappears from lists, its attempts and results stay.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SubjectDeleted"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/exams/{id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tasks of an exam in their order */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamTask"][];
                    };
                };
            };
        };
        put?: never;
        /** Add a task to an exam, at the end unless `order_index` says where */
        post: {
            parameters: {
                query?: {
                    title?: string;
                    description?: string;
                    points?: number;
                    /** @description Bash; its last line is PASS or FAIL. */
                    verification_script?: string;
                    solution_script?: string | null;
                    order_index?: number;
                };
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        title?: string;
                        description?: string;
                        points?: number;
                        /** @description Bash; its last line is PASS or FAIL. */
                        verification_script?: string;
                        solution_script?: string | null;
                        order_index?: number;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamTask"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/exams/{id}/tasks/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Put the tasks of an exam into another order */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Each task, once. */
                        task_ids: number[];
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamTask"][];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/exams/{id}/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One task of an exam */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                    task_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamTask"];
                    };
                };
            };
        };
        /** Change a task, or by `order_index` its place; what is left out stays */
        put: {
            parameters: {
                query?: {
                    title?: string;
                    description?: string;
                    points?: number;
                    /** @description Bash; its last line is PASS or FAIL. */
                    verification_script?: string;
                    solution_script?: string | null;
                    order_index?: number;
                };
                header?: never;
                path: {
                    id: number;
                    task_id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        title?: string;
                        description?: string;
                        points?: number;
                        /** @description Bash; its last line is PASS or FAIL. */
                        verification_script?: string;
                        solution_script?: string | null;
                        order_index?: number;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamTask"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a task; results that were given for it stay */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                    task_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/laboratories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All laboratories, inactive ones too */
        get: {
            parameters: {
                query?: {
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Laboratory"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a laboratory
         * @description 409: the section has a laboratory already.
         */
        post: {
            parameters: {
                query?: {
                    title?: string;
                    description?: string;
                    container_image?: string;
                    /** @description In points. */
                    passing_score?: number;
                    /** @description False: a draft, which students do not see. */
                    is_active?: boolean;
                    time_limit_minutes?: number | null;
                    section_id?: number | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        title?: string;
                        description?: string;
                        container_image?: string;
                        /** @description In points. */
                        passing_score?: number;
                        /** @description False: a draft, which students do not see. */
                        is_active?: boolean;
                        time_limit_minutes?: number | null;
                        section_id?: number | null;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Laboratory"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/laboratories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One laboratory */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Laboratory"];
                    };
                };
            };
        };
        /**
         * Change a laboratory
         * @description Fields that are left out stay; an attempt under way keeps its time and passing score. `is_active` false retires it. 409: it comes back, or goes from a draft to students, by publishing.
         */
        put: {
            parameters: {
                query?: {
                    title?: string;
                    description?: string;
                    container_image?: string;
                    /** @description In points. */
                    passing_score?: number;
                    /** @description False: a draft, which students do not see. */
                    is_active?: boolean;
                    time_limit_minutes?: number | null;
                    section_id?: number | null;
                };
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        title?: string;
                        description?: string;
                        container_image?: string;
                        /** @description In points. */
                        passing_score?: number;
                        /** @description False: a draft, which students do not see. */
                        is_active?: boolean;
                        time_limit_minutes?: number | null;
                        section_id?: number | null;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Laboratory"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Delete a laboratory
         * @description One that was attempted becomes inactive: it disappears from lists, its attempts and results stay.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SubjectDeleted"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/laboratories/{id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tasks of a laboratory in their order */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LaboratoryTask"][];
                    };
                };
            };
        };
        put?: never;
        /** Add a task to a laboratory, at the end unless `order_index` says where */
        post: {
            parameters: {
                query?: {
                    title?: string;
                    description?: string;
                    points?: number;
                    /** @description Bash; its last line is PASS or FAIL. */
                    verification_script?: string;
                    solution_script?: string | null;
                    order_index?: number;
                    hint?: string;
                };
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        title?: string;
                        description?: string;
                        points?: number;
                        /** @description Bash; its last line is PASS or FAIL. */
                        verification_script?: string;
                        solution_script?: string | null;
                        order_index?: number;
                        hint?: string;
                    };
                };
            };
            responses: {
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LaboratoryTask"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/laboratories/{id}/tasks/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Put the tasks of a laboratory into another order */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Each task, once. */
                        task_ids: number[];
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LaboratoryTask"][];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/laboratories/{id}/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One task of a laboratory */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                    task_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LaboratoryTask"];
                    };
                };
            };
        };
        /** Change a task, or by `order_index` its place; what is left out stays */
        put: {
            parameters: {
                query?: {
                    title?: string;
                    description?: string;
                    points?: number;
                    /** @description Bash; its last line is PASS or FAIL. */
                    verification_script?: string;
                    solution_script?: string | null;
                    order_index?: number;
                    hint?: string;
                };
                header?: never;
                path: {
                    id: number;
                    task_id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        title?: string;
                        description?: string;
                        points?: number;
                        /** @description Bash; its last line is PASS or FAIL. */
                        verification_script?: string;
                        solution_script?: string | null;
                        order_index?: number;
                        hint?: string;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LaboratoryTask"];
                    };
                };
            };
        };
        post?: never;
        /** Delete a task; results that were given for it stay */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                    task_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Done"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/exams/{id}/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try the checks and solutions of all tasks of an exam
         * @description On a container of its own each check has to fail at first, and to pass after the solution, which runs as the student. On another container, where nothing is solved, five opponents try to forge it. It can take minutes. 503: too many wait.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TrialReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/exams/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try an exam, and show it to students if nothing is wrong
         * @description On a container of its own each check has to fail at first, and to pass after the solution, which runs as the student. On another container, where nothing is solved, five opponents try to forge it. It can take minutes. 503: too many wait. 409 with `trial_failed` carries the report of the trial.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TrialReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/exams/{id}/tasks/{task_id}/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try one task of an exam alone, also with scripts that are not saved
         * @description On a container of its own each check has to fail at first, and to pass after the solution, which runs as the student. On another container, where nothing is solved, five opponents try to forge it. It can take minutes. 503: too many wait.
         */
        post: {
            parameters: {
                query?: {
                    /** @description Bash; its last line is PASS or FAIL. */
                    verification_script?: string;
                    solution_script?: string | null;
                };
                header?: never;
                path: {
                    id: number;
                    task_id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Bash; its last line is PASS or FAIL. */
                        verification_script?: string;
                        solution_script?: string | null;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TrialReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/laboratories/{id}/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try the checks and solutions of all tasks of a laboratory
         * @description On a container of its own each check has to fail at first, and to pass after the solution, which runs as the student. On another container, where nothing is solved, five opponents try to forge it. It can take minutes. 503: too many wait.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TrialReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/laboratories/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a laboratory, and show it to students if nothing is wrong
         * @description On a container of its own each check has to fail at first, and to pass after the solution, which runs as the student. On another container, where nothing is solved, five opponents try to forge it. It can take minutes. 503: too many wait. 409 with `trial_failed` carries the report of the trial.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TrialReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/laboratories/{id}/tasks/{task_id}/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try one task of a laboratory alone, also with scripts that are not saved
         * @description On a container of its own each check has to fail at first, and to pass after the solution, which runs as the student. On another container, where nothing is solved, five opponents try to forge it. It can take minutes. 503: too many wait.
         */
        post: {
            parameters: {
                query?: {
                    /** @description Bash; its last line is PASS or FAIL. */
                    verification_script?: string;
                    solution_script?: string | null;
                };
                header?: never;
                path: {
                    id: number;
                    task_id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Bash; its last line is PASS or FAIL. */
                        verification_script?: string;
                        solution_script?: string | null;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TrialReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instructor/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Attempts of all students, newest first */
        get: {
            parameters: {
                query?: {
                    kind?: "exam" | "laboratory";
                    exam_id?: number;
                    laboratory_id?: number;
                    course_id?: number;
                    user_id?: number;
                    status?: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
                    passed?: boolean;
                    /** @description A part of username, full name or address. */
                    search?: string;
                    /** @description A date, or a moment with its offset, as `2026-11-20T20:16:05Z`; of `started_at`. */
                    from?: string;
                    /** @description A date, or a moment with its offset, as `2026-11-20T20:16:05Z`; of `started_at`. */
                    to?: string;
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudentAttempt"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instructor/attempts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attempts of all students as a CSV
         * @description With the filters of the list. A cell that a spreadsheet would take for a formula begins with an apostrophe.
         */
        get: {
            parameters: {
                query?: {
                    kind?: "exam" | "laboratory";
                    exam_id?: number;
                    laboratory_id?: number;
                    course_id?: number;
                    user_id?: number;
                    status?: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
                    passed?: boolean;
                    /** @description A part of username, full name or address. */
                    search?: string;
                    /** @description A date, or a moment with its offset, as `2026-11-20T20:16:05Z`; of `started_at`. */
                    from?: string;
                    /** @description A date, or a moment with its offset, as `2026-11-20T20:16:05Z`; of `started_at`. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The attempts, newest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instructor/attempts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A student's attempt with its results */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudentResults"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instructor/containers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Running containers of students, newest first
         * @description Their terminals can be watched at `/ws/terminal/{id}`; the student is told.
         */
        get: {
            parameters: {
                query?: {
                    container_id?: number;
                    kind?: "sandbox" | "exam" | "laboratory";
                    user_id?: number;
                    exam_id?: number;
                    laboratory_id?: number;
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WatchableContainer"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instructor/subjects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What has a grade book: exams, then laboratories, by title
         * @description Retired ones and those that nobody has attempted, too.
         */
        get: {
            parameters: {
                query?: {
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Subject"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instructor/exams/{id}/grade-book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Grades of an exam: students by tasks
         * @description Pages are of students, by username. Retired exams have one, too.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Which of a student's attempts counts: the one with the highest score (the default), or the newest. */
                    attempt?: "best" | "latest";
                    /** @description A part of username, full name or address. */
                    search?: string;
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExamGradeBook"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instructor/laboratories/{id}/grade-book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Grades of a laboratory: students by tasks
         * @description Pages are of students, by username. Retired laboratories have one, too.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Which of a student's attempts counts: the one with the highest score (the default), or the newest. */
                    attempt?: "best" | "latest";
                    /** @description A part of username, full name or address. */
                    search?: string;
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LaboratoryGradeBook"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instructor/exams/{id}/grade-book/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The grade book of an exam as a CSV
         * @description A line a student, a column a task with the points that were earned; empty where it was not graded.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Which of a student's attempts counts: the one with the highest score (the default), or the newest. */
                    attempt?: "best" | "latest";
                };
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The grades. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instructor/laboratories/{id}/grade-book/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The grade book of a laboratory as a CSV
         * @description A line a student, a column a task with the points that were earned; empty where it was not graded.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Which of a student's attempts counts: the one with the highest score (the default), or the newest. */
                    attempt?: "best" | "latest";
                };
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The grades. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's figures
         * @description Themes count where the caller sees them: those of active courses and sections.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Statistics"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the caller has done, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description From 1. */
                    page?: number;
                    /** @description Rows a page. */
                    page_size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Activity"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dashboard/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's days, courses and scores, ready to plot */
        get: {
            parameters: {
                query?: {
                    /** @description Until today. */
                    days?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Analytics"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profile/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's profile */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Profile"];
                    };
                };
            };
        };
        /**
         * Change the caller's profile
         * @description What is left out stays as it is. `null` clears `full_name`, an empty text clears `bio`.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProfileChanges"];
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Profile"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profile/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the caller's picture
         * @description PNG, JPEG, WebP or GIF by content, whatever the name says: anything else is 415. More than `AVATAR_MAX_BYTES` bytes (5 MiB) or `AVATAR_MAX_PIXELS` pixels (40 megapixels) is 413, a damaged picture 422. It is kept as a WebP of 256 x 256 without metadata, of an animation the first frame.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": {
                        /**
                         * Format: binary
                         * @description PNG, JPEG, WebP or GIF.
                         */
                        file: string;
                    };
                };
            };
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Profile"];
                    };
                };
            };
        };
        /**
         * Remove the caller's picture
         * @description Also right where there is none.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OK */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Profile"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/avatars/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A picture of a user
         * @description For everybody who knows its address, which cannot be guessed. A new picture has a new address.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description As in `avatar_url`: the key, and `.webp`. */
                    file: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description 256 x 256 pixels. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/webp": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The process is alive */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            status: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The service can answer: the database does
         * @description Without a container engine it is ready all the same, for everything else.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            status: "ok" | "unavailable";
                            has_database: boolean;
                            has_containers: boolean;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prometheus metrics
         * @description From the machine itself, or with METRICS_TOKEN as a bearer token.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Activity */
        Activity: {
            id: number;
            /** @enum {string} */
            type: "lesson_complete" | "exam_start" | "exam_submit" | "exam_expire" | "exam_abandon" | "laboratory_start" | "laboratory_submit" | "laboratory_expire" | "laboratory_abandon" | "container_create" | "container_delete" | "container_full" | "container_yield" | "container_evict" | "register";
            title: string;
            entity_type: string | null;
            entity_id: number | null;
            /** Format: date-time */
            created_at: string;
        };
        /** Analytics */
        Analytics: {
            /** @description Every day, also those on which nothing happened. */
            days: {
                /**
                 * Format: date
                 * @description A day in UTC; today is the last.
                 */
                date: string;
                themes_completed: number;
                attempts_submitted: number;
            }[];
            /** @description In the order of the courses. */
            courses: {
                course_id: number;
                name: string;
                completed_themes: number;
                total_themes: number;
                /** @description 0 to 100, with one decimal. */
                percent: number;
            }[];
            /** @description The attempts that were submitted on these days, oldest first; of more than 500 the newest. */
            scores: {
                attempt_id: number;
                /** @enum {string} */
                kind: "exam" | "laboratory";
                exam_id: number | null;
                laboratory_id: number | null;
                title: string;
                score: number;
                max_score: number;
                /** @description 0 to 100, with one decimal. */
                percent: number;
                passed: boolean;
                /** Format: date-time */
                submitted_at: string;
            }[];
        };
        /** Container */
        Container: {
            id: number;
            name: string;
            user_id: number;
            /** @enum {string} */
            kind: "sandbox" | "exam" | "laboratory";
            image: string;
            template_id: number | null;
            /** @enum {string} */
            status: "creating" | "running" | "stopped" | "failed";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            stopped_at: string | null;
            /**
             * @description Why it was stopped, where that was not its user: nobody used it; room was needed and nobody used it; its disk was full.
             * @enum {string|null}
             */
            stop_reason: "idle" | "room" | "disk" | null;
            /** Format: date-time */
            expires_at: string | null;
        };
        /** Course */
        Course: {
            id: number;
            name: string;
            slug: string;
            description: string;
            icon: string;
            order_index: number;
            is_active: boolean;
            sections: components["schemas"]["Section"][];
            progress: {
                completed_themes: number;
                total_themes: number;
                /** @description 0 to 100, with one decimal. */
                percent: number;
            };
        };
        /** CourseDetails */
        CourseDetails: {
            id: number;
            name: string;
            slug: string;
            description: string;
            icon: string;
            order_index: number;
            is_active: boolean;
        };
        /** Done */
        Done: {
            detail: string;
        };
        /**
         * Error
         * @description What went wrong, in one sentence, and by a word to decide by: docs/errors.md lists all of them.
         */
        Error: {
            detail: string;
            /**
             * @description - `bad_request` (400): The request is not valid HTTP, its path is not well encoded, or its body cannot be read.
             *     - `email_taken` (400): Another account has the email address.
             *     - `username_taken` (400): Another account has the username.
             *     - `wrong_password` (400): The current password, which the change of a password asks for, is not right.
             *     - `unauthorized` (401): There is no token, or it is malformed, expired, revoked or of a user who cannot log in.
             *     - `wrong_credentials` (401): The username or the password is not right.
             *     - `admin_required` (403): Only administrators may do this.
             *     - `forbidden` (403): The caller may not do this.
             *     - `instructor_required` (403): Only instructors and administrators may do this.
             *     - `registration_closed` (403): Nobody can register; administrators create the accounts.
             *     - `registration_code_missing` (403): Registration needs a registration code.
             *     - `registration_domain` (403): Registration is limited to email addresses of certain domains.
             *     - `wrong_registration_code` (403): The registration code does not exist, has expired or is used up.
             *     - `lesson_file_not_found` (404): The lessons repository does not have the file.
             *     - `lesson_file_too_large` (404): The file in the lessons repository is too large to be served.
             *     - `no_active_attempt` (404): The caller has no active attempt, or none of this exam or laboratory.
             *     - `not_found` (404): The path or the resource does not exist, or the caller may not see it.
             *     - `method_not_allowed` (405): The path exists but does not take this method; `Allow` lists those that it takes.
             *     - `request_timeout` (408): The request did not arrive completely in time.
             *     - `attempt_active` (409): The caller has an active attempt already.
             *     - `attempt_grading` (409): The attempt is being graded already.
             *     - `attempt_lost` (409): The container of the attempt was lost; the attempt does not count and can be started again.
             *     - `attempt_not_extendable` (409): Only an attempt in progress with a time limit can get more time.
             *     - `attempt_not_in_progress` (409): The attempt is not in progress any more.
             *     - `attempt_not_regradable` (409): Only an attempt in progress whose grading failed can be graded again.
             *     - `catalogue_full` (409): The catalogue has as many entries of this kind as it can have.
             *     - `changed_meanwhile` (409): Somebody changed the resource at the same time; read it and try again.
             *     - `conflict` (409): The request contradicts what is stored.
             *     - `container_creating` (409): The container is still being created.
             *     - `container_of_attempt` (409): The container belongs to an attempt and is deleted with it.
             *     - `last_administrator` (409): The last active administrator can be neither deleted, demoted nor deactivated.
             *     - `no_tasks` (409): The exam or laboratory has no tasks yet.
             *     - `publish_required` (409): The exam or laboratory becomes active by being published, which tries its checks first.
             *     - `sandbox_disk_full` (409): The disk of the sandbox was full, so it can only be deleted.
             *     - `section_has_laboratory` (409): The section has a laboratory already.
             *     - `slug_taken` (409): Another resource of this kind has the slug.
             *     - `too_many_laboratories` (409): The caller has too many active laboratories; one must be submitted or abandoned first.
             *     - `too_many_sandboxes` (409): The caller has as many sandboxes as a user can have; one must be deleted first.
             *     - `too_many_tasks` (409): The exam or laboratory has as many tasks as it can have.
             *     - `trial_failed` (409): The exam or laboratory is not published, because the trial of its checks failed.
             *     - `body_too_large` (413): The request body is too large.
             *     - `file_too_large` (413): The uploaded file has too many bytes.
             *     - `picture_too_large` (413): The uploaded picture has too many pixels.
             *     - `not_a_picture` (415): The uploaded file is not a PNG, JPEG, WebP or GIF picture.
             *     - `unsupported_media_type` (415): The request body has a content type that is not read here.
             *     - `validation` (422): The request does not fit its schema; `detail` lists what is wrong, field by field.
             *     - `upgrade_required` (426): The path takes WebSocket connections only.
             *     - `too_many_logins` (429): Too many logins failed, or run at once; `Retry-After` says when to try again.
             *     - `too_many_registration_codes` (429): Too many wrong registration codes were tried; `Retry-After` says when to try again.
             *     - `too_many_registrations` (429): Too many accounts were registered from this network; `Retry-After` says when to try again.
             *     - `too_many_requests` (429): The caller sends too many requests; `Retry-After` says when to try again.
             *     - `headers_too_large` (431): The headers of the request are too large.
             *     - `internal` (500): The service failed unexpectedly; its log has the cause.
             *     - `cancelled` (503): The attempt or container was cancelled while its container was being created.
             *     - `database_unavailable` (503): The database cannot be reached.
             *     - `engine_unavailable` (503): The container engine cannot be reached or failed.
             *     - `grading_failed` (503): Grading failed part-way; nothing is lost and the attempt can be submitted again.
             *     - `image_missing` (503): The container engine does not have the image.
             *     - `lessons_unavailable` (503): The lessons repository cannot be reached or read.
             *     - `no_capacity` (503): All containers that the service can run are in use.
             *     - `overloaded` (503): The service has too much to do right now.
             *     - `stopping` (503): The service is stopping.
             *     - `storage_unavailable` (503): Pictures or recordings cannot be read or written now.
             *     - `trial_interrupted` (503): The trial of the checks did not run to its end.
             *     - `unavailable` (503): The service cannot do this now.
             * @enum {string}
             */
            code: "admin_required" | "attempt_active" | "attempt_grading" | "attempt_lost" | "attempt_not_extendable" | "attempt_not_in_progress" | "attempt_not_regradable" | "bad_request" | "body_too_large" | "cancelled" | "catalogue_full" | "changed_meanwhile" | "conflict" | "container_creating" | "container_of_attempt" | "database_unavailable" | "email_taken" | "engine_unavailable" | "file_too_large" | "forbidden" | "grading_failed" | "headers_too_large" | "image_missing" | "instructor_required" | "internal" | "last_administrator" | "lesson_file_not_found" | "lesson_file_too_large" | "lessons_unavailable" | "method_not_allowed" | "no_active_attempt" | "no_capacity" | "no_tasks" | "not_a_picture" | "not_found" | "overloaded" | "picture_too_large" | "publish_required" | "registration_closed" | "registration_code_missing" | "registration_domain" | "request_timeout" | "sandbox_disk_full" | "section_has_laboratory" | "slug_taken" | "stopping" | "storage_unavailable" | "too_many_laboratories" | "too_many_logins" | "too_many_registration_codes" | "too_many_registrations" | "too_many_requests" | "too_many_sandboxes" | "too_many_tasks" | "trial_failed" | "trial_interrupted" | "unauthorized" | "unavailable" | "unsupported_media_type" | "upgrade_required" | "username_taken" | "validation" | "wrong_credentials" | "wrong_password" | "wrong_registration_code";
        };
        /** Exam */
        Exam: {
            id: number;
            slug: string | null;
            title: string;
            description: string;
            container_image: string;
            /** @description In points. */
            passing_score: number;
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
            task_count: number;
            max_score: number;
            time_limit_minutes: number;
            course_id: number | null;
            order_index: number;
            tasks: components["schemas"]["ExamTask"][];
        };
        /** ExamAttempt */
        ExamAttempt: {
            exam_id: number | null;
            id: number;
            user_id: number;
            title: string;
            container_id: number | null;
            container_name: string;
            /** @enum {string} */
            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            submitted_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            score: number | null;
            max_score: number;
            passing_score: number;
            passed: boolean | null;
            grading_error: string | null;
        };
        /** ExamGradeBook */
        ExamGradeBook: {
            exam: {
                id: number;
                title: string;
                max_score: number;
                passing_score: number;
                is_active: boolean;
            };
            tasks: {
                task_id: number;
                title: string;
                points: number;
                /** @description No longer a task; kept for the results that were given for it. */
                is_deleted: boolean;
            }[];
            students: {
                user_id: number;
                username: string;
                full_name: string | null;
                email: string;
                /** @description How many there are. */
                attempts: number;
                /** @description The one that counts; the fields below are its own. */
                attempt_id: number;
                /** @enum {string} */
                status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
                /** Format: date-time */
                started_at: string;
                /** Format: date-time */
                submitted_at: string | null;
                score: number | null;
                max_score: number;
                passed: boolean | null;
                /** @description One for each of `tasks`, in their order; null where the task was not graded. */
                results: ({
                    passed: boolean;
                    points_earned: number;
                } | null)[];
            }[];
        };
        /** ExamResults */
        ExamResults: {
            exam_id: number | null;
            id: number;
            user_id: number;
            title: string;
            container_id: number | null;
            container_name: string;
            /** @enum {string} */
            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            submitted_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            score: number | null;
            max_score: number;
            passing_score: number;
            passed: boolean | null;
            grading_error: string | null;
            integrity?: string[] | null;
            /** @description Tasks that have been graded since the submission: its progress while it is graded. */
            graded_count: number;
            /** @description Of an exam, students get them when the attempt is `finished` or `expired`; until then the list is empty. */
            results: components["schemas"]["TaskResult"][];
        };
        /** ExamTask */
        ExamTask: {
            id: number;
            title: string;
            description: string;
            points: number;
            order_index: number;
            /** @description For instructors and administrators only. */
            verification_script?: string;
            solution_script?: string | null;
        };
        /** Laboratory */
        Laboratory: {
            id: number;
            slug: string | null;
            title: string;
            description: string;
            container_image: string;
            /** @description In points. */
            passing_score: number;
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
            task_count: number;
            max_score: number;
            time_limit_minutes: number | null;
            section_id: number | null;
            tasks: components["schemas"]["LaboratoryTask"][];
        };
        /** LaboratoryAttempt */
        LaboratoryAttempt: {
            laboratory_id: number | null;
            id: number;
            user_id: number;
            title: string;
            container_id: number | null;
            container_name: string;
            /** @enum {string} */
            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            submitted_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            score: number | null;
            max_score: number;
            passing_score: number;
            passed: boolean | null;
            grading_error: string | null;
        };
        /** LaboratoryGradeBook */
        LaboratoryGradeBook: {
            laboratory: {
                id: number;
                title: string;
                max_score: number;
                passing_score: number;
                is_active: boolean;
            };
            tasks: {
                task_id: number;
                title: string;
                points: number;
                /** @description No longer a task; kept for the results that were given for it. */
                is_deleted: boolean;
            }[];
            students: {
                user_id: number;
                username: string;
                full_name: string | null;
                email: string;
                /** @description How many there are. */
                attempts: number;
                /** @description The one that counts; the fields below are its own. */
                attempt_id: number;
                /** @enum {string} */
                status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
                /** Format: date-time */
                started_at: string;
                /** Format: date-time */
                submitted_at: string | null;
                score: number | null;
                max_score: number;
                passed: boolean | null;
                /** @description One for each of `tasks`, in their order; null where the task was not graded. */
                results: ({
                    passed: boolean;
                    points_earned: number;
                } | null)[];
            }[];
        };
        /** LaboratoryResults */
        LaboratoryResults: {
            laboratory_id: number | null;
            id: number;
            user_id: number;
            title: string;
            container_id: number | null;
            container_name: string;
            /** @enum {string} */
            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            submitted_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            score: number | null;
            max_score: number;
            passing_score: number;
            passed: boolean | null;
            grading_error: string | null;
            integrity?: string[] | null;
            /** @description Tasks that have been graded since the submission: its progress while it is graded. */
            graded_count: number;
            /** @description Of an exam, students get them when the attempt is `finished` or `expired`; until then the list is empty. */
            results: components["schemas"]["TaskResult"][];
        };
        /** LaboratoryTask */
        LaboratoryTask: {
            id: number;
            title: string;
            description: string;
            points: number;
            order_index: number;
            /** @description For instructors and administrators only. */
            verification_script?: string;
            solution_script?: string | null;
            hint: string;
        };
        /** Login */
        Login: {
            /** @description The username or the e-mail address. */
            username: string;
            password: string;
        };
        /** OpponentRun */
        OpponentRun: {
            /** @enum {unknown} */
            opponent: "kills" | "stops" | "replaces" | "reads" | "empty";
            passed: boolean;
            output: string;
        };
        /** PasswordChange */
        PasswordChange: {
            old_password: string;
            /**
             * Format: bytes72
             * @description 8 characters to 72 bytes (bcrypt reads no more).
             */
            new_password: string;
        };
        /** Profile */
        Profile: {
            id: number;
            username: string;
            email: string;
            /** @enum {string} */
            role: "student" | "instructor" | "admin";
            full_name: string | null;
            avatar_url: string | null;
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_login_at: string | null;
            bio: string;
        };
        /** ProfileChanges */
        ProfileChanges: {
            full_name?: string | null;
            /** Format: email */
            email?: string;
            bio?: string;
        };
        /** Recording */
        Recording: {
            id: number;
            attempt_id: number;
            /** @description The terminal's size at the start. */
            cols: number;
            rows: number;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            ended_at: string | null;
            duration_seconds: number | null;
            /** @description Of the file; of one that is being written until now, 0 where that cannot be read. */
            bytes: number;
            /** @description Output is missing: it was longer than `RECORDING_MAX_MB`, or could not be written. */
            is_truncated: boolean;
        };
        /** Registration */
        Registration: {
            username: string;
            /** Format: email */
            email: string;
            /**
             * Format: bytes72
             * @description 8 characters to 72 bytes (bcrypt reads no more).
             */
            password: string;
            full_name?: string | null;
            code?: string | null;
        };
        /** RegistrationCode */
        RegistrationCode: {
            id: number;
            code: string;
            note: string | null;
            /** Format: date-time */
            expires_at: string | null;
            max_uses: number | null;
            uses: number;
            /** Format: date-time */
            created_at: string;
        };
        /** RegistrationRules */
        RegistrationRules: {
            /** @enum {string} */
            mode: "open" | "domain" | "code" | "closed";
            /** @description Only with the mode `domain`. */
            domains?: string[];
        };
        /** RepositoryRefresh */
        RepositoryRefresh: {
            /** @description The commit that is served now; null while the repository is empty. */
            commit: string | null;
            has_changed: boolean;
        };
        /** SandboxTemplate */
        SandboxTemplate: {
            id: number;
            name: string;
            slug: string;
            description: string;
            image: string;
            has_internet: boolean;
            memory_mb: number;
            cpus: number;
            order_index: number;
            is_active: boolean;
            /**
             * @description Users below this role neither see the template nor make sandboxes from it.
             * @enum {string}
             */
            minimum_role: "student" | "instructor" | "admin";
        };
        /** Section */
        Section: {
            id: number;
            course_id: number;
            name: string;
            slug: string;
            order_index: number;
            is_active: boolean;
            themes: {
                id: number;
                section_id: number;
                title: string;
                slug: string;
                markdown_file_path: string;
                duration_minutes: number;
                order_index: number;
                is_completed: boolean;
            }[];
        };
        /** SectionDetails */
        SectionDetails: {
            id: number;
            course_id: number;
            name: string;
            slug: string;
            order_index: number;
            is_active: boolean;
        };
        /** Session */
        Session: {
            access_token: string;
            /** @enum {string} */
            token_type: "bearer";
            /** @description Seconds. */
            expires_in: number;
            user: components["schemas"]["User"];
        };
        /** StartedExam */
        StartedExam: {
            exam_id: number;
            attempt_id: number;
            container_id: number;
            container_name: string;
            /** @enum {string} */
            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            expires_at: string | null;
        };
        /** StartedLaboratory */
        StartedLaboratory: {
            laboratory_id: number;
            attempt_id: number;
            container_id: number;
            container_name: string;
            /** @enum {string} */
            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            expires_at: string | null;
        };
        /** Statistics */
        Statistics: {
            completed_themes: number;
            total_themes: number;
            /** @description 0 to 100, with one decimal. */
            percent: number;
            /** @description Exams, not attempts: one that was passed twice counts once. */
            exams_passed: number;
            exams_attempted: number;
            average_score_percent: number | null;
            laboratories_passed: number;
            /** @description The sum of `duration_minutes` of the completed themes. */
            minutes_learned: number;
            /** @description Days in a row (UTC), until today or yesterday, on which a theme was completed or an attempt was submitted. */
            current_streak_days: number;
            longest_streak_days: number;
            /** @description That run, or are being made. */
            active_containers: number;
        };
        /** StudentAttempt */
        StudentAttempt: {
            /** @enum {string} */
            kind: "exam" | "laboratory";
            laboratory_id: number | null;
            username: string;
            full_name: string | null;
            email: string;
            exam_id: number | null;
            id: number;
            user_id: number;
            title: string;
            container_id: number | null;
            container_name: string;
            /** @enum {string} */
            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            submitted_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            score: number | null;
            max_score: number;
            passing_score: number;
            passed: boolean | null;
            grading_error: string | null;
        };
        /** StudentResults */
        StudentResults: {
            /** @enum {string} */
            kind: "exam" | "laboratory";
            laboratory_id: number | null;
            username: string;
            full_name: string | null;
            email: string;
            exam_id: number | null;
            id: number;
            user_id: number;
            title: string;
            container_id: number | null;
            container_name: string;
            /** @enum {string} */
            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            submitted_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            score: number | null;
            max_score: number;
            passing_score: number;
            passed: boolean | null;
            grading_error: string | null;
            integrity?: string[] | null;
            /** @description Tasks that have been graded since the submission: its progress while it is graded. */
            graded_count: number;
            /** @description Of an exam, students get them when the attempt is `finished` or `expired`; until then the list is empty. */
            results: components["schemas"]["TaskResult"][];
        };
        /** Subject */
        Subject: {
            /** @enum {string} */
            kind: "exam" | "laboratory";
            id: number;
            title: string;
            is_active: boolean;
            /** @description Who have attempted it. */
            students: number;
        };
        /** SubjectDeleted */
        SubjectDeleted: {
            detail: string;
            /** @enum {string} */
            outcome: "deleted" | "retired";
        };
        /** TaskResult */
        TaskResult: {
            task_id: number;
            title: string;
            passed: boolean;
            points: number;
            points_earned: number;
            output: string;
            /** Format: date-time */
            graded_at: string;
        };
        /** TaskTrial */
        TaskTrial: {
            task_id: number;
            title: string;
            /** @description The check on a pristine container; it has to fail. */
            first: {
                passed: boolean;
                output: string;
            };
            solution: {
                exit_status: number | null;
                /** @description What the student's terminal showed. */
                output: string;
            } | null;
            after: {
                passed: boolean;
                output: string;
            } | null;
            /** @description The check on a container where nothing is solved, against a student who kills or stops its processes, replaces files while it runs, answers what /proc shows, or answers with nothing; it has to fail. Empty where the check passed at first. */
            opponents: components["schemas"]["OpponentRun"][];
            problem: string | null;
            /**
             * @description The same in a stable word, for clients to decide by.
             * @enum {string|null}
             */
            problem_code: "passes_at_first" | "no_verdict" | "no_solution" | "passes_before_solution" | "solution_timeout" | "solution_failed" | "fails_after_solution" | "undone_by_later_tasks" | "forgeable" | null;
        };
        /** Theme */
        Theme: {
            id: number;
            section_id: number;
            title: string;
            slug: string;
            markdown_file_path: string;
            duration_minutes: number;
            order_index: number;
            is_completed: boolean;
            /** Format: date-time */
            completed_at: string | null;
            previous_theme_id: number | null;
            next_theme_id: number | null;
        };
        /** ThemeDetails */
        ThemeDetails: {
            id: number;
            section_id: number;
            title: string;
            slug: string;
            markdown_file_path: string;
            duration_minutes: number;
            order_index: number;
        };
        /** ThemeProgress */
        ThemeProgress: {
            user_id: number;
            theme_id: number;
            completed: boolean;
            /** Format: date-time */
            completed_at: string | null;
        };
        /**
         * TrialRefusal
         * @description Why nothing was published; `trial_failed` comes with the report of the trial.
         */
        TrialRefusal: {
            detail: string;
            /**
             * @description - `bad_request` (400): The request is not valid HTTP, its path is not well encoded, or its body cannot be read.
             *     - `email_taken` (400): Another account has the email address.
             *     - `username_taken` (400): Another account has the username.
             *     - `wrong_password` (400): The current password, which the change of a password asks for, is not right.
             *     - `unauthorized` (401): There is no token, or it is malformed, expired, revoked or of a user who cannot log in.
             *     - `wrong_credentials` (401): The username or the password is not right.
             *     - `admin_required` (403): Only administrators may do this.
             *     - `forbidden` (403): The caller may not do this.
             *     - `instructor_required` (403): Only instructors and administrators may do this.
             *     - `registration_closed` (403): Nobody can register; administrators create the accounts.
             *     - `registration_code_missing` (403): Registration needs a registration code.
             *     - `registration_domain` (403): Registration is limited to email addresses of certain domains.
             *     - `wrong_registration_code` (403): The registration code does not exist, has expired or is used up.
             *     - `lesson_file_not_found` (404): The lessons repository does not have the file.
             *     - `lesson_file_too_large` (404): The file in the lessons repository is too large to be served.
             *     - `no_active_attempt` (404): The caller has no active attempt, or none of this exam or laboratory.
             *     - `not_found` (404): The path or the resource does not exist, or the caller may not see it.
             *     - `method_not_allowed` (405): The path exists but does not take this method; `Allow` lists those that it takes.
             *     - `request_timeout` (408): The request did not arrive completely in time.
             *     - `attempt_active` (409): The caller has an active attempt already.
             *     - `attempt_grading` (409): The attempt is being graded already.
             *     - `attempt_lost` (409): The container of the attempt was lost; the attempt does not count and can be started again.
             *     - `attempt_not_extendable` (409): Only an attempt in progress with a time limit can get more time.
             *     - `attempt_not_in_progress` (409): The attempt is not in progress any more.
             *     - `attempt_not_regradable` (409): Only an attempt in progress whose grading failed can be graded again.
             *     - `catalogue_full` (409): The catalogue has as many entries of this kind as it can have.
             *     - `changed_meanwhile` (409): Somebody changed the resource at the same time; read it and try again.
             *     - `conflict` (409): The request contradicts what is stored.
             *     - `container_creating` (409): The container is still being created.
             *     - `container_of_attempt` (409): The container belongs to an attempt and is deleted with it.
             *     - `last_administrator` (409): The last active administrator can be neither deleted, demoted nor deactivated.
             *     - `no_tasks` (409): The exam or laboratory has no tasks yet.
             *     - `publish_required` (409): The exam or laboratory becomes active by being published, which tries its checks first.
             *     - `sandbox_disk_full` (409): The disk of the sandbox was full, so it can only be deleted.
             *     - `section_has_laboratory` (409): The section has a laboratory already.
             *     - `slug_taken` (409): Another resource of this kind has the slug.
             *     - `too_many_laboratories` (409): The caller has too many active laboratories; one must be submitted or abandoned first.
             *     - `too_many_sandboxes` (409): The caller has as many sandboxes as a user can have; one must be deleted first.
             *     - `too_many_tasks` (409): The exam or laboratory has as many tasks as it can have.
             *     - `trial_failed` (409): The exam or laboratory is not published, because the trial of its checks failed.
             *     - `body_too_large` (413): The request body is too large.
             *     - `file_too_large` (413): The uploaded file has too many bytes.
             *     - `picture_too_large` (413): The uploaded picture has too many pixels.
             *     - `not_a_picture` (415): The uploaded file is not a PNG, JPEG, WebP or GIF picture.
             *     - `unsupported_media_type` (415): The request body has a content type that is not read here.
             *     - `validation` (422): The request does not fit its schema; `detail` lists what is wrong, field by field.
             *     - `upgrade_required` (426): The path takes WebSocket connections only.
             *     - `too_many_logins` (429): Too many logins failed, or run at once; `Retry-After` says when to try again.
             *     - `too_many_registration_codes` (429): Too many wrong registration codes were tried; `Retry-After` says when to try again.
             *     - `too_many_registrations` (429): Too many accounts were registered from this network; `Retry-After` says when to try again.
             *     - `too_many_requests` (429): The caller sends too many requests; `Retry-After` says when to try again.
             *     - `headers_too_large` (431): The headers of the request are too large.
             *     - `internal` (500): The service failed unexpectedly; its log has the cause.
             *     - `cancelled` (503): The attempt or container was cancelled while its container was being created.
             *     - `database_unavailable` (503): The database cannot be reached.
             *     - `engine_unavailable` (503): The container engine cannot be reached or failed.
             *     - `grading_failed` (503): Grading failed part-way; nothing is lost and the attempt can be submitted again.
             *     - `image_missing` (503): The container engine does not have the image.
             *     - `lessons_unavailable` (503): The lessons repository cannot be reached or read.
             *     - `no_capacity` (503): All containers that the service can run are in use.
             *     - `overloaded` (503): The service has too much to do right now.
             *     - `stopping` (503): The service is stopping.
             *     - `storage_unavailable` (503): Pictures or recordings cannot be read or written now.
             *     - `trial_interrupted` (503): The trial of the checks did not run to its end.
             *     - `unavailable` (503): The service cannot do this now.
             * @enum {string}
             */
            code: "admin_required" | "attempt_active" | "attempt_grading" | "attempt_lost" | "attempt_not_extendable" | "attempt_not_in_progress" | "attempt_not_regradable" | "bad_request" | "body_too_large" | "cancelled" | "catalogue_full" | "changed_meanwhile" | "conflict" | "container_creating" | "container_of_attempt" | "database_unavailable" | "email_taken" | "engine_unavailable" | "file_too_large" | "forbidden" | "grading_failed" | "headers_too_large" | "image_missing" | "instructor_required" | "internal" | "last_administrator" | "lesson_file_not_found" | "lesson_file_too_large" | "lessons_unavailable" | "method_not_allowed" | "no_active_attempt" | "no_capacity" | "no_tasks" | "not_a_picture" | "not_found" | "overloaded" | "picture_too_large" | "publish_required" | "registration_closed" | "registration_code_missing" | "registration_domain" | "request_timeout" | "sandbox_disk_full" | "section_has_laboratory" | "slug_taken" | "stopping" | "storage_unavailable" | "too_many_laboratories" | "too_many_logins" | "too_many_registration_codes" | "too_many_registrations" | "too_many_requests" | "too_many_sandboxes" | "too_many_tasks" | "trial_failed" | "trial_interrupted" | "unauthorized" | "unavailable" | "unsupported_media_type" | "upgrade_required" | "username_taken" | "validation" | "wrong_credentials" | "wrong_password" | "wrong_registration_code";
            report?: components["schemas"]["TrialReport"];
        };
        /** TrialReport */
        TrialReport: {
            is_ok: boolean;
            tasks: components["schemas"]["TaskTrial"][];
        };
        /** User */
        User: {
            id: number;
            username: string;
            email: string;
            /** @enum {string} */
            role: "student" | "instructor" | "admin";
            full_name: string | null;
            avatar_url: string | null;
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_login_at: string | null;
        };
        /**
         * ValidationError
         * @description The request does not fit its schema.
         */
        ValidationError: {
            detail: {
                loc: (string | number)[];
                msg: string;
                type: string;
            }[];
            /** @enum {string} */
            code: "validation";
        };
        /** WatchableContainer */
        WatchableContainer: {
            id: number;
            name: string;
            user_id: number;
            /** @enum {string} */
            kind: "sandbox" | "exam" | "laboratory";
            image: string;
            template_id: number | null;
            /** @enum {string} */
            status: "creating" | "running" | "stopped" | "failed";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            stopped_at: string | null;
            /**
             * @description Why it was stopped, where that was not its user: nobody used it; room was needed and nobody used it; its disk was full.
             * @enum {string|null}
             */
            stop_reason: "idle" | "room" | "disk" | null;
            /** Format: date-time */
            expires_at: string | null;
            username: string;
            full_name: string | null;
            email: string;
            attempt_id: number | null;
            title: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
