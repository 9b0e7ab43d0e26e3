// Written from /api/openapi.json, see test/web/api-types.test.ts.
type Json<Body> = { content: { 'application/json': Body } };
type NoParameters = { path?: never; query?: never };
export interface paths {
    "/api/auth/register": {
        /** Register as a student */
        post: {
            parameters: NoParameters;
            requestBody: Json<components["schemas"]["Registration"]>;
            responses: { 200: Json<components["schemas"]["User"]>; };
        };
    };
    "/api/auth/registration": {
        /** Who may register */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["RegistrationRules"]>; }; };
    };
    "/api/auth/login": {
        /** Log in */
        post: {
            parameters: NoParameters;
            requestBody: Json<components["schemas"]["Login"]>;
            responses: { 200: Json<components["schemas"]["Session"]>; };
        };
    };
    "/api/auth/me": {
        /** The current user */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["User"]>; }; };
    };
    "/api/auth/refresh": {
        /** Exchange a valid token for a new one */
        post: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["Session"]>; }; };
    };
    "/api/auth/logout": {
        /** Invalidate all tokens issued until now */
        post: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/auth/password": {
        /** Change the password */
        put: {
            parameters: NoParameters;
            requestBody: Json<components["schemas"]["PasswordChange"]>;
            responses: { 200: Json<components["schemas"]["Session"]>; };
        };
    };
    "/api/auth/invitation": {
        /** Read an invitation, or accept it with a password */
        post: {
            parameters: NoParameters;
            requestBody: Json<components["schemas"]["InvitationUse"]>;
            responses: { 200: Json<components["schemas"]["Invited"]>; };
        };
    };
    "/api/classes": {
        /** The caller's classes, by name or by `sort` */
        get: {
            parameters: {
                query?: {
                    q?: string;
                    is_archived?: boolean;
                    sort?: "name" | "member_count" | "created_at";
                    order?: "asc" | "desc";
                    page?: number;
                    page_size?: number;
                };
            };
            responses: { 200: Json<components["schemas"]["Class"][]>; };
        };
        /** Create a class */
        post: {
            parameters: NoParameters;
            requestBody: Json<components["schemas"]["NewClass"]>;
            responses: { 201: Json<components["schemas"]["Class"]>; };
        };
    };
    "/api/classes/{id}": {
        /** One class */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Class"]>; }; };
        /** Change a class */
        put: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["ClassChange"]>;
            responses: { 200: Json<components["schemas"]["Class"]>; };
        };
        /** Delete a class */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/classes/{id}/members": {
        /** The members of a class, by username or by `sort` */
        get: {
            parameters: {
                query?: {
                    q?: string;
                    role?: "student" | "assistant" | "instructor";
                    sort?: "username" | "role" | "joined_at";
                    order?: "asc" | "desc";
                    page?: number;
                    page_size?: number;
                };
                path: { id: number; };
            };
            responses: { 200: Json<components["schemas"]["Member"][]>; };
        };
        /** Add a user to a class */
        post: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["NewMember"]>;
            responses: { 201: Json<components["schemas"]["Member"]>; };
        };
    };
    "/api/classes/{id}/members/{user_id}": {
        /** Change a member's role in a class */
        put: {
            parameters: { path: { id: number; user_id: number; }; };
            requestBody: Json<components["schemas"]["MemberChange"]>;
            responses: { 200: Json<components["schemas"]["Member"]>; };
        };
        /** Remove a member from a class, or leave it */
        delete: { parameters: { path: { id: number; user_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/classes/{id}/members/{user_id}/invitation": {
        /** Issue an invitation to a member without a password */
        post: { parameters: { path: { id: number; user_id: number; }; }; responses: { 201: Json<components["schemas"]["Invitation"]>; }; };
    };
    "/api/classes/{id}/members/import": {
        /** Add the users of a CSV to a class */
        post: {
            parameters: {
                query?: {
                    columns?: string;
                    header?: boolean;
                    encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1251" | "windows-1252";
                    usernames?: "file" | "local_part" | "address";
                    passwords?: "generated" | "invitations";
                };
                path: { id: number; };
            };
            /** A table with commas, semicolons or tabs, in UTF-8, UTF-16, Windows-1251 or Windows-1252. */
            requestBody: { content: { "text/csv": string; "text/tab-separated-values": string; "text/plain": string; }; };
            responses: { 200: Json<components["schemas"]["ImportedMember"][]>; };
        };
    };
    "/api/classes/{id}/members/import/check": {
        /** What an import of members would do */
        post: {
            parameters: {
                query?: {
                    columns?: string;
                    header?: boolean;
                    encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1251" | "windows-1252";
                    usernames?: "file" | "local_part" | "address";
                    passwords?: "generated" | "invitations";
                };
                path: { id: number; };
            };
            /** A table with commas, semicolons or tabs, in UTF-8, UTF-16, Windows-1251 or Windows-1252. */
            requestBody: { content: { "text/csv": string; "text/tab-separated-values": string; "text/plain": string; }; };
            responses: { 200: Json<components["schemas"]["ImportCheck"]>; };
        };
    };
    "/api/classes/{id}/join-codes": {
        /** The join codes of a class, the newest first */
        get: {
            parameters: { query?: { page?: number; page_size?: number; }; path: { id: number; }; };
            responses: { 200: Json<components["schemas"]["JoinCode"][]>; };
        };
        /** Create a join code */
        post: {
            parameters: { path: { id: number; }; };
            requestBody?: Json<components["schemas"]["NewJoinCode"]>;
            responses: { 201: Json<components["schemas"]["JoinCode"]>; };
        };
    };
    "/api/classes/{id}/join-codes/{code_id}": {
        /** Withdraw a join code */
        delete: { parameters: { path: { id: number; code_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/classes/join": {
        /** Join a class with a code */
        post: { parameters: NoParameters; requestBody: Json<components["schemas"]["Join"]>; responses: { 200: Json<components["schemas"]["Class"]>; }; };
    };
    "/api/classes/{id}/progress": {
        /** The progress of the students of a class: lessons, exams and laboratories of its courses */
        get: {
            parameters: {
                query?: {
                    state?: "not_begun" | "begun" | "stuck" | "finished";
                    stuck_after?: number;
                    sort?: string;
                    order?: "asc" | "desc";
                    page?: number;
                    page_size?: number;
                };
                path: { id: number; };
            };
            responses: { 200: { content: { "application/json": components["schemas"]["ClassProgress"]; "text/csv": string; }; }; };
        };
    };
    "/api/classes/{id}/grades": {
        /** The grades of the students of a class: students by exams and laboratories of its courses */
        get: {
            parameters: {
                query?: {
                    q?: string;
                    state?: "passed" | "failed" | "missing";
                    sort?: string;
                    order?: "asc" | "desc";
                    format?: "all" | "columns" | "moodle" | "canvas";
                    page?: number;
                    page_size?: number;
                };
                path: { id: number; };
            };
            responses: { 200: { content: { "application/json": components["schemas"]["ClassGrades"]; "text/csv": string; }; }; };
        };
    };
    "/api/classes/{id}/grades/mine": {
        /** The caller's own grades in a class */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["OwnGrades"]>; }; };
    };
    "/api/classes/{id}/grades/statistics": {
        /** The distribution of the grades of a class, and how each task works */
        get: { parameters: { query?: { item?: string; }; path: { id: number; }; }; responses: { 200: Json<components["schemas"]["GradeStatistics"]>; }; };
    };
    "/api/classes/{id}/grade-book": {
        /** Change the rules of a grade book: weights, what counts, who sees it */
        put: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["GradeBookChange"]>;
            responses: { 200: Json<components["schemas"]["GradeBook"]>; };
        };
    };
    "/api/classes/{id}/grade-columns": {
        /** Add a column with typed values to a grade book */
        post: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["NewGradeColumn"]>;
            responses: { 201: Json<components["schemas"]["GradeColumn"]>; };
        };
    };
    "/api/classes/{id}/grade-columns/{column_id}": {
        /** Change a column of a grade book */
        put: {
            parameters: { path: { id: number; column_id: number; }; };
            requestBody: Json<components["schemas"]["GradeColumnChange"]>;
            responses: { 200: Json<components["schemas"]["GradeColumn"]>; };
        };
        /** Delete a column of a grade book with its values */
        delete: { parameters: { path: { id: number; column_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/classes/{id}/grade-columns/{column_id}/values/{user_id}": {
        /** Set the value of a student in a column of a grade book */
        put: {
            parameters: { path: { id: number; column_id: number; user_id: number; }; };
            requestBody: Json<components["schemas"]["GradeValue"]>;
            responses: { 200: Json<components["schemas"]["GradeValue"]>; };
        };
    };
    "/api/classes/{id}/grade-columns/import": {
        /** Import values of the columns of a grade book from a CSV */
        post: {
            parameters: {
                query?: { columns?: string; header?: boolean; encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1251" | "windows-1252"; };
                path: { id: number; };
            };
            /** A table with commas, semicolons or tabs, in UTF-8, UTF-16, Windows-1251 or Windows-1252. */
            requestBody: { content: { "text/csv": string; "text/tab-separated-values": string; "text/plain": string; }; };
            responses: { 200: Json<components["schemas"]["ImportedGrades"]>; };
        };
    };
    "/api/classes/{id}/grade-columns/import/check": {
        /** What an import of values would do */
        post: {
            parameters: {
                query?: { columns?: string; header?: boolean; encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1251" | "windows-1252"; };
                path: { id: number; };
            };
            /** A table with commas, semicolons or tabs, in UTF-8, UTF-16, Windows-1251 or Windows-1252. */
            requestBody: { content: { "text/csv": string; "text/tab-separated-values": string; "text/plain": string; }; };
            responses: { 200: Json<components["schemas"]["ImportCheck"]>; };
        };
    };
    "/api/deadlines": {
        /** The deadlines of the caller as a student, the first that are due first */
        get: {
            parameters: { query?: { laboratory_id?: number; page?: number; page_size?: number; }; };
            responses: { 200: Json<components["schemas"]["LaboratoryDeadline"][]>; };
        };
    };
    "/api/classes/{id}/deadlines": {
        /** The deadlines of the laboratories of a class, the first that are due first */
        get: {
            parameters: { query?: { page?: number; page_size?: number; }; path: { id: number; }; };
            responses: { 200: Json<components["schemas"]["LaboratoryDeadline"][]>; };
        };
    };
    "/api/classes/{id}/deadlines/{laboratory_id}": {
        /** Set the deadline of a laboratory for a class */
        put: {
            parameters: { path: { id: number; laboratory_id: number; }; };
            requestBody: Json<components["schemas"]["LaboratoryDeadlineBody"]>;
            responses: { 200: Json<components["schemas"]["LaboratoryDeadline"]>; };
        };
        /** Delete the deadline of a laboratory for a class */
        delete: { parameters: { path: { id: number; laboratory_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/announcements": {
        /** The announcements to everybody and to the caller's classes, the unread ones first, then the newest */
        get: {
            parameters: { query?: { class_id?: number; is_read?: boolean; page?: number; page_size?: number; }; };
            responses: { 200: Json<components["schemas"]["Announcement"][]>; };
        };
        /** Announce something to a class or to everybody */
        post: {
            parameters: NoParameters;
            requestBody: Json<components["schemas"]["NewAnnouncement"]>;
            responses: { 201: Json<components["schemas"]["Announcement"]>; };
        };
    };
    "/api/announcements/{id}": {
        /** Change an announcement */
        put: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["AnnouncementChange"]>;
            responses: { 200: Json<components["schemas"]["Announcement"]>; };
        };
        /** Delete an announcement */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/announcements/{id}/read": {
        /** Mark an announcement as read */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/notifications": {
        /** The caller's notifications, the unread ones first, then the newest */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["Notification"][]>; }; };
    };
    "/api/notifications/events": {
        /** The same as a stream of server-sent events */
        get: { parameters: NoParameters; responses: { 200: { content: { "text/event-stream": string; }; }; }; };
    };
    "/api/notifications/read": {
        /** Mark notifications as read */
        post: {
            parameters: NoParameters;
            requestBody?: Json<components["schemas"]["ReadNotifications"]>;
            responses: { 200: Json<components["schemas"]["Done"]>; };
        };
    };
    "/api/notifications/settings": {
        /** What the caller is notified of */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["NotificationSettings"]>; }; };
        /** Switch kinds of notifications on and off */
        put: {
            parameters: NoParameters;
            requestBody: Json<components["schemas"]["NotificationSettingsChange"]>;
            responses: { 200: Json<components["schemas"]["NotificationSettings"]>; };
        };
    };
    "/api/deletions/undo": {
        /** Undo a deletion of the last minutes */
        post: {
            parameters: NoParameters;
            requestBody: Json<components["schemas"]["UndoDeletion"]>;
            responses: { 200: Json<components["schemas"]["Restored"]>; };
        };
    };
    "/api/admin/deletions": {
        /** What was deleted in the last days and can be restored, the newest first */
        get: { parameters: { query?: { page?: number; page_size?: number; }; }; responses: { 200: Json<components["schemas"]["Deletion"][]>; }; };
    };
    "/api/admin/deletions/{id}/restore": {
        /** Restore what was deleted */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Restored"]>; }; };
    };
    "/api/admin/deletions/{id}": {
        /** Delete it for good */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/lessons/courses": {
        /** The courses with their sections, themes and the progress of the caller */
        get: { parameters: { query?: { page?: number; page_size?: number; }; }; responses: { 200: Json<components["schemas"]["Course"][]>; }; };
    };
    "/api/lessons/courses/{course_id}": {
        /** A course with its sections, themes and the progress of the caller */
        get: { parameters: { path: { course_id: number; }; }; responses: { 200: Json<components["schemas"]["Course"]>; }; };
    };
    "/api/lessons/course-summaries": {
        /** The courses without their sections, with the progress of the caller */
        get: {
            parameters: { query?: { page?: number; page_size?: number; state?: "new" | "begun" | "finished"; }; };
            responses: { 200: Json<components["schemas"]["CourseSummary"][]>; };
        };
    };
    "/api/lessons/themes": {
        /** The themes with a Markdown file */
        get: { parameters: { query: { markdown_file_path: string; }; }; responses: { 200: Json<components["schemas"]["ThemeDetails"][]>; }; };
    };
    "/api/lessons/themes/{theme_id}": {
        /** A theme, with its neighbours in the course */
        get: { parameters: { path: { theme_id: number; }; }; responses: { 200: Json<components["schemas"]["Theme"]>; }; };
    };
    "/api/lessons/themes/{theme_id}/content": {
        /** The theme's text in Markdown */
        get: {
            parameters: { path: { theme_id: number; }; };
            responses: { 200: { content: { "application/json": string; "text/markdown": string; "text/plain": string; }; }; };
        };
    };
    "/api/lessons/themes/{theme_id}/files/{*}": {
        /** A file that the theme's text refers to, such as a picture */
        get: {
            parameters: { path: { theme_id: number; "*": string; }; };
            responses: {
                200: {
                    content: {
                        "image/png": string;
                        "image/jpeg": string;
                        "image/gif": string;
                        "image/webp": string;
                        "image/svg+xml": string;
                        "application/pdf": string;
                        "text/plain": string;
                        "application/octet-stream": string;
                    };
                };
            };
        };
    };
    "/api/lessons/themes/{theme_id}/complete": {
        /** Mark a theme complete */
        post: { parameters: { path: { theme_id: number; }; }; responses: { 200: Json<components["schemas"]["ThemeProgress"]>; }; };
        /** Mark a theme incomplete */
        delete: { parameters: { path: { theme_id: number; }; }; responses: { 200: Json<components["schemas"]["ThemeProgress"]>; }; };
    };
    "/api/admin/lessons/missing-files": {
        /** The themes whose Markdown file is not in the lessons repository */
        get: { parameters: { query?: { page?: number; page_size?: number; }; }; responses: { 200: Json<components["schemas"]["MissingFile"][]>; }; };
    };
    "/api/lessons/refresh-repository": {
        /** Update the lessons repository now */
        post: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["RepositoryRefresh"]>; }; };
    };
    "/api/admin/lessons/repositories": {
        /** The lesson repositories, with their courses and the outcome of the last update */
        get: { parameters: { query?: { page?: number; page_size?: number; }; }; responses: { 200: Json<components["schemas"]["LessonRepository"][]>; }; };
        /** Add a lesson repository */
        post: {
            parameters: NoParameters;
            requestBody: Json<components["schemas"]["LessonRepositoryFields"]>;
            responses: { 201: Json<components["schemas"]["LessonRepository"]>; };
        };
    };
    "/api/admin/lessons/repositories/{id}": {
        /** One lesson repository */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["LessonRepository"]>; }; };
        /** Change a lesson repository */
        put: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["LessonRepositoryChanges"]>;
            responses: { 200: Json<components["schemas"]["LessonRepository"]>; };
        };
        /** Delete a lesson repository */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/admin/lessons/repositories/{id}/test": {
        /** Test the connection to a lesson repository */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["LessonRepositoryTest"]>; }; };
    };
    "/api/admin/lessons/repositories/host-key": {
        /** Accept the new host key of the SSH server of a lesson repository */
        post: {
            parameters: NoParameters;
            /** `repository_id` is null for the default repository. */
            requestBody: Json<components["schemas"]["HostKeyAcceptance"]>;
            responses: { 200: Json<components["schemas"]["Done"]>; };
        };
    };
    "/api/admin/lessons/repositories/{id}/refresh": {
        /** Update a lesson repository now */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["RepositoryRefresh"]>; }; };
    };
    "/api/admin/written-lessons": {
        /** The files of lessons that are written in the pages, by path */
        get: {
            parameters: { query?: { page?: number; page_size?: number; q?: string; is_deleted?: boolean; }; };
            responses: { 200: Json<components["schemas"]["WrittenLesson"][]>; };
        };
        /** Write a new file for a lesson */
        post: {
            parameters: NoParameters;
            requestBody: Json<components["schemas"]["WrittenLessonFields"]>;
            responses: { 201: Json<components["schemas"]["WrittenLessonText"]>; };
        };
    };
    "/api/admin/written-lessons/{id}": {
        /** A file of lessons with its text */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["WrittenLessonText"]>; }; };
        /** Change the text or the path of a file of lessons */
        put: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["WrittenLessonChange"]>;
            responses: { 200: Json<components["schemas"]["WrittenLessonText"]>; };
        };
        /** Delete a file of lessons */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/admin/written-lessons/content": {
        /** A picture, PDF or plain text among the files of lessons that are written in the pages */
        get: {
            parameters: { query: { path: string; }; };
            responses: {
                200: {
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
    };
    "/api/admin/written-lessons/bundle": {
        /** All files with their history, as a Git bundle */
        get: { parameters: NoParameters; responses: { 200: { content: { "application/octet-stream": string; }; }; }; };
    };
    "/api/admin/lessons/themes/{theme_id}/write": {
        /** Write the text of a theme in the pages from now on */
        post: { parameters: { path: { theme_id: number; }; }; responses: { 200: Json<components["schemas"]["WrittenLessonText"]>; }; };
    };
    "/api/admin/written-lessons/pictures": {
        /** Upload a picture for lessons */
        post: {
            parameters: { query: { name: string; }; };
            requestBody: { content: { "application/octet-stream": string; }; };
            responses: { 201: Json<components["schemas"]["WrittenLesson"]>; };
        };
    };
    "/api/admin/written-lessons/{id}/revisions": {
        /** The revisions of a file of lessons, newest first */
        get: {
            parameters: { query?: { page?: number; page_size?: number; }; path: { id: number; }; };
            responses: { 200: Json<components["schemas"]["WrittenRevision"][]>; };
        };
    };
    "/api/admin/written-lessons/{id}/revisions/{revision}": {
        /** A revision of a file of lessons with its text */
        get: { parameters: { path: { id: number; revision: number; }; }; responses: { 200: Json<components["schemas"]["WrittenRevisionText"]>; }; };
    };
    "/api/admin/written-lessons/{id}/revisions/{revision}/restore": {
        /** Make the content of a revision the newest one */
        post: { parameters: { path: { id: number; revision: number; }; }; responses: { 200: Json<components["schemas"]["WrittenLessonText"]>; }; };
    };
    "/api/admin/lessons/files": {
        /** The Markdown files that a lesson can have, with the lessons that have them */
        get: {
            parameters: { query?: { page?: number; page_size?: number; course_id?: number; section_id?: number; is_written?: boolean; }; };
            responses: { 200: Json<components["schemas"]["LessonFile"][]>; };
        };
    };
    "/api/notes": {
        /** The caller's notes and bookmarks in lessons */
        get: {
            parameters: { query?: { page?: number; page_size?: number; theme_id?: number; }; };
            responses: { 200: Json<components["schemas"]["Note"][]>; };
        };
        /** Write a note or set a bookmark at a paragraph of a lesson */
        post: { parameters: NoParameters; requestBody: Json<components["schemas"]["NewNote"]>; responses: { 201: Json<components["schemas"]["Note"]>; }; };
    };
    "/api/notes/{id}": {
        /** Change the text of a note */
        put: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["NoteChanges"]>;
            responses: { 200: Json<components["schemas"]["Note"]>; };
        };
        /** Delete a note or a bookmark */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/sandbox-templates": {
        /** Sandbox templates that the caller can use */
        get: { parameters: { query?: { page?: number; page_size?: number; }; }; responses: { 200: Json<components["schemas"]["SandboxTemplate"][]>; }; };
    };
    "/api/containers/create": {
        /** Create a sandbox */
        post: {
            parameters: NoParameters;
            requestBody?: Json<components["schemas"]["NewSandbox"]>;
            responses: { 201: Json<components["schemas"]["Container"]>; };
        };
    };
    "/api/containers/sandbox": {
        /** The caller's sandboxes */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["Container"][]>; }; };
    };
    "/api/containers/limits": {
        /** What a user may have of containers */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["ContainerLimits"]>; }; };
    };
    "/api/containers/{id}": {
        /** One of the caller's containers */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Container"]>; }; };
        /** Delete a sandbox with its content */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/containers/{id}/start": {
        /** Start a sandbox */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Container"]>; }; };
    };
    "/api/containers/{id}/stop": {
        /** Stop a sandbox */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Container"]>; }; };
    };
    "/api/containers/{id}/reset": {
        /** Replace a sandbox by a new one */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Container"]>; }; };
    };
    "/api/exams/attempts/{id}/break": {
        /** Start a break in the caller's attempt */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["AttemptBreak"]>; }; };
        /** End the break in the caller's attempt */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["AttemptBreak"]>; }; };
    };
    "/api/exams": {
        /** Exams with their tasks */
        get: { parameters: { query?: { page?: number; page_size?: number; }; }; responses: { 200: Json<components["schemas"]["Exam"][]>; }; };
    };
    "/api/exams/{id}": {
        /** One exam with its tasks */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Exam"]>; }; };
    };
    "/api/exams/{id}/start": {
        /** Start an attempt */
        post: {
            parameters: { header?: { prefer?: string; }; path: { id: number; }; };
            requestBody?: Json<components["schemas"]["ExamEntry"]>;
            responses: { 201: Json<components["schemas"]["StartedExam"]>; 202: Json<components["schemas"]["QueuedStart"]>; };
        };
    };
    "/api/exams/{id}/submit": {
        /** Submit the active attempt for grading */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["ExamResults"]>; }; };
    };
    "/api/exams/attempts": {
        /** The caller's attempts, newest first */
        get: {
            parameters: { query?: { page?: number; page_size?: number; cursor?: string; }; };
            responses: { 200: Json<components["schemas"]["ExamAttempt"][]>; };
        };
    };
    "/api/exams/attempts/{id}/results": {
        /** An attempt with its results */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["ExamResults"]>; }; };
    };
    "/api/exams/attempts/{id}/abandon": {
        /** Abandon an attempt */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["ExamAttempt"]>; }; };
    };
    "/api/exams/attempts/active": {
        /** The caller's active attempt */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["ExamResults"]>; }; };
    };
    "/api/laboratories/section/{section_id}/laboratory": {
        /** The laboratory of a section */
        get: { parameters: { path: { section_id: number; }; }; responses: { 200: Json<components["schemas"]["Laboratory"]>; }; };
    };
    "/api/laboratories/{id}/check": {
        /** Grade the active attempt for practice, without ending it */
        post: {
            parameters: { query?: { task_id?: number; }; path: { id: number; }; };
            responses: { 200: Json<components["schemas"]["LaboratoryResults"]>; };
        };
    };
    "/api/laboratories/{id}": {
        /** One laboratory with its tasks */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Laboratory"]>; }; };
    };
    "/api/laboratories/{id}/start": {
        /** Start an attempt, or resume the active one */
        post: {
            parameters: { header?: { prefer?: string; }; path: { id: number; }; };
            responses: {
                200: Json<components["schemas"]["StartedLaboratory"]>;
                201: Json<components["schemas"]["StartedLaboratory"]>;
                202: Json<components["schemas"]["QueuedStart"]>;
            };
        };
    };
    "/api/laboratories/{id}/submit": {
        /** Submit the active attempt for grading */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["LaboratoryResults"]>; }; };
    };
    "/api/laboratories/attempts": {
        /** The caller's attempts, newest first */
        get: {
            parameters: { query?: { page?: number; page_size?: number; cursor?: string; }; };
            responses: { 200: Json<components["schemas"]["LaboratoryAttempt"][]>; };
        };
    };
    "/api/laboratories/attempts/{id}/results": {
        /** An attempt with its results */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["LaboratoryResults"]>; }; };
    };
    "/api/laboratories/attempts/{id}/abandon": {
        /** Abandon an attempt */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["LaboratoryAttempt"]>; }; };
    };
    "/api/laboratories/attempts/active": {
        /** The caller's active attempts, newest first: at most one of each laboratory */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["LaboratoryResults"][]>; }; };
    };
    "/api/exam-sessions": {
        /** The exam sessions of the caller and of the caller's classes, the last to open first */
        get: {
            parameters: {
                query?: { class_id?: number; is_for_chosen?: boolean; exam_id?: number; state?: "upcoming" | "open" | "closed"; page?: number; page_size?: number; };
            };
            responses: { 200: Json<components["schemas"]["ExamSession"][]>; };
        };
        /** Plan an exam session */
        post: {
            parameters: NoParameters;
            requestBody: Json<components["schemas"]["NewExamSession"]>;
            responses: { 201: Json<components["schemas"]["ExamSession"]>; };
        };
    };
    "/api/exam-sessions/calendar.ics": {
        /** The exam sessions of the caller and of the caller's classes as a calendar */
        get: { parameters: NoParameters; responses: { 200: { content: { "text/calendar": string; }; }; }; };
    };
    "/api/exam-sessions/time-zone": {
        /** The time zone of the school */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["SchoolTimeZone"]>; }; };
    };
    "/api/exam-sessions/{id}": {
        /** One exam session */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["ExamSession"]>; }; };
        /** Change an exam session */
        put: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["ExamSessionChange"]>;
            responses: { 200: Json<components["schemas"]["ExamSession"]>; };
        };
        /** Delete an exam session */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/exam-sessions/candidates": {
        /** Students whom the caller can choose for an exam session, by username */
        get: { parameters: { query: { q: string; }; }; responses: { 200: Json<components["schemas"]["ExamCandidate"][]>; }; };
        /** The students of a list of usernames and email addresses */
        post: {
            parameters: NoParameters;
            requestBody: Json<components["schemas"]["NameList"]>;
            responses: { 200: Json<components["schemas"]["FoundNames"]>; };
        };
    };
    "/api/exam-sessions/{id}/users": {
        /** The chosen students of an exam session, by username */
        get: {
            parameters: { query?: { q?: string; page?: number; page_size?: number; }; path: { id: number; }; };
            responses: { 200: Json<components["schemas"]["ChosenStudent"][]>; };
        };
        /** Add students to an exam session */
        post: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["NewChosenStudents"]>;
            responses: { 200: Json<components["schemas"]["ExamSession"]>; };
        };
    };
    "/api/exam-sessions/{id}/users/{user_id}": {
        /** Remove a student from an exam session */
        delete: { parameters: { path: { id: number; user_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/exam-sessions/{id}/supervisors": {
        /** The supervisors of an exam session for chosen students, by username */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Supervisor"][]>; }; };
        /** Add a supervisor to an exam session for chosen students */
        post: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["NewSupervisor"]>;
            responses: { 201: Json<components["schemas"]["Supervisor"]>; };
        };
    };
    "/api/exam-sessions/{id}/supervisors/{user_id}": {
        /** Remove a supervisor from an exam session, or stop supervising it */
        delete: { parameters: { path: { id: number; user_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/exam-sessions/forecast": {
        /** The containers that an exam session of a class would need */
        get: {
            parameters: { query: { class_id: number; opens_at: string; closes_at: string; }; };
            responses: { 200: Json<components["schemas"]["ExamForecast"]>; };
        };
        /** The containers that an exam session of chosen students would need */
        post: {
            parameters: NoParameters;
            requestBody: Json<components["schemas"]["ChosenForecast"]>;
            responses: { 200: Json<components["schemas"]["ExamForecast"]>; };
        };
    };
    "/api/exam-sessions/{id}/calendar.ics": {
        /** One exam session as a calendar */
        get: { parameters: { path: { id: number; }; }; responses: { 200: { content: { "text/calendar": string; }; }; }; };
    };
    "/api/exam-sessions/{id}/accommodations": {
        /** The accommodations of an exam session, by username */
        get: {
            parameters: { query?: { page?: number; page_size?: number; }; path: { id: number; }; };
            responses: { 200: Json<components["schemas"]["Accommodation"][]>; };
        };
    };
    "/api/exam-sessions/{id}/accommodations/{user_id}": {
        /** Set the accommodation of a student */
        put: {
            parameters: { path: { id: number; user_id: number; }; };
            requestBody?: Json<components["schemas"]["AccommodationChange"]>;
            responses: { 200: Json<components["schemas"]["Accommodation"]>; };
        };
        /** Withdraw the accommodation of a student */
        delete: { parameters: { path: { id: number; user_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/classes/{id}/accommodations": {
        /** The accommodations in all exam sessions of a class, by username */
        get: {
            parameters: { query?: { page?: number; page_size?: number; }; path: { id: number; }; };
            responses: { 200: Json<components["schemas"]["ClassAccommodation"][]>; };
        };
    };
    "/api/classes/{id}/accommodations/{user_id}": {
        /** Set the accommodation of a student in all exam sessions of a class */
        put: {
            parameters: { path: { id: number; user_id: number; }; };
            requestBody?: Json<components["schemas"]["ClassAccommodationChange"]>;
            responses: { 200: Json<components["schemas"]["ClassAccommodation"]>; };
        };
        /** Withdraw the accommodation of a student in a class */
        delete: { parameters: { path: { id: number; user_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/exam-sessions/{id}/release": {
        /** Show the results of an exam session to its students */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["ExamSession"]>; }; };
    };
    "/api/exam-sessions/{id}/pause": {
        /** Pause an exam session */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["ExamSession"]>; }; };
    };
    "/api/exam-sessions/{id}/resume": {
        /** Resume an exam session */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["ExamSession"]>; }; };
    };
    "/api/exam-sessions/{id}/extend": {
        /** Give more time in an exam session */
        post: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["Extension"]>;
            responses: { 200: Json<components["schemas"]["ExamSession"]>; };
        };
    };
    "/api/exam-sessions/{id}/unlock": {
        /** Let a student log in on another device during a locked exam */
        post: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["Unlocking"]>;
            responses: { 200: Json<components["schemas"]["Done"]>; };
        };
    };
    "/api/exam-sessions/{id}/end-break": {
        /** End the break of a student */
        post: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["EndingBreak"]>;
            responses: { 200: Json<components["schemas"]["Done"]>; };
        };
    };
    "/api/exam-sessions/{id}/message": {
        /** Send a message to those who take the exam */
        post: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["NewExamMessage"]>;
            responses: { 201: Json<components["schemas"]["SentExamMessage"]>; };
        };
    };
    "/api/exam-sessions/{id}/end": {
        /** End an exam session, or the attempt of one student in it */
        post: {
            parameters: { path: { id: number; }; };
            requestBody?: Json<components["schemas"]["Ending"]>;
            responses: { 200: Json<components["schemas"]["ExamSession"]>; };
        };
    };
    "/api/exam-sessions/{id}/room": {
        /** The students of an exam session, with their newest attempts */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["ExamRoom"]>; }; };
    };
    "/api/exam-sessions/{id}/room/events": {
        /** The same as a stream of server-sent events */
        get: { parameters: { path: { id: number; }; }; responses: { 200: { content: { "text/event-stream": string; }; }; }; };
    };
    "/api/instructor/attempts/{id}/recordings": {
        /** The recordings of an exam attempt's terminals, oldest first */
        get: {
            parameters: { query?: { page?: number; page_size?: number; }; path: { id: number; }; };
            responses: { 200: Json<components["schemas"]["Recording"][]>; };
        };
    };
    "/api/instructor/recordings/{id}": {
        /** Download a recording */
        get: { parameters: { path: { id: number; }; }; responses: { 200: { content: { "application/x-asciicast": string; }; }; }; };
    };
    "/api/admin/users": {
        /** Users, in the order of their ids or by `sort` */
        get: {
            parameters: {
                query?: {
                    q?: string;
                    role?: "student" | "instructor" | "admin";
                    is_active?: boolean;
                    sort?: "id" | "username" | "last_login_at";
                    order?: "asc" | "desc";
                    page?: number;
                    page_size?: number;
                    cursor?: string;
                };
            };
            responses: { 200: Json<components["schemas"]["User"][]>; };
        };
        /** Create a user */
        post: {
            parameters: NoParameters;
            requestBody?: Json<components["schemas"]["NewUser"]>;
            responses: { 201: Json<components["schemas"]["User"]>; };
        };
    };
    "/api/admin/users/{id}": {
        /** One user */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["User"]>; }; };
        /** Change a user */
        put: {
            parameters: { path: { id: number; }; };
            requestBody?: Json<components["schemas"]["UserChanges"]>;
            responses: { 200: Json<components["schemas"]["User"]>; };
        };
        /** Delete a user */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/admin/users/{id}/role": {
        /** Change a user's role */
        put: {
            parameters: { path: { id: number; }; };
            requestBody?: Json<components["schemas"]["RoleChange"]>;
            responses: { 200: Json<components["schemas"]["User"]>; };
        };
    };
    "/api/admin/containers": {
        /** Containers of all users, newest first or by `sort` */
        get: {
            parameters: {
                query?: {
                    user_id?: number;
                    kind?: "sandbox" | "exam" | "laboratory";
                    status?: "creating" | "running" | "stopped" | "failed";
                    sort?: "created_at" | "name" | "username" | "status" | "expires_at";
                    order?: "asc" | "desc";
                    page?: number;
                    page_size?: number;
                };
            };
            responses: { 200: Json<components["schemas"]["OwnedContainer"][]>; };
        };
    };
    "/api/admin/containers/{id}": {
        /** A container of any user */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["OwnedContainer"]>; }; };
        /** Delete a sandbox of any user, with its content */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/admin/attempts": {
        /** Attempts of all users, newest first */
        get: {
            parameters: {
                query?: {
                    user_id?: number;
                    kind?: "exam" | "laboratory";
                    exam_id?: number;
                    laboratory_id?: number;
                    status?: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
                    passed?: boolean;
                    page?: number;
                    page_size?: number;
                    cursor?: string;
                };
            };
            responses: { 200: Json<components["schemas"]["Attempt"][]>; };
        };
    };
    "/api/admin/attempts/{id}": {
        /** An attempt of any user, with its results */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["AttemptResults"]>; }; };
        /** Extend the time of an attempt */
        put: {
            parameters: { path: { id: number; }; };
            requestBody?: Json<components["schemas"]["AttemptTimeChange"]>;
            responses: { 200: Json<components["schemas"]["AttemptResults"]>; };
        };
    };
    "/api/admin/attempts/{id}/grade": {
        /** Repeat a failed grading */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["AttemptResults"]>; }; };
    };
    "/api/admin/activity": {
        /** Activity of all users, including administrative actions, newest first or with `order=asc` oldest first */
        get: {
            parameters: {
                query?: {
                    user_id?: number;
                    actor_id?: number;
                    type?: string;
                    entity_type?: string;
                    entity_id?: number;
                    sort?: "created_at";
                    order?: "asc" | "desc";
                    page?: number;
                    page_size?: number;
                    cursor?: string;
                };
            };
            responses: { 200: Json<components["schemas"]["ActivityEntry"][]>; };
        };
    };
    "/api/admin/stats": {
        /** Counts of users, containers, attempts and activity */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["ServiceStatistics"]>; }; };
    };
    "/api/admin/system": {
        /** The state of the service, its engine, its database and its disk */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["SystemState"]>; }; };
    };
    "/api/admin/users/import": {
        /** Create users from a CSV */
        post: {
            parameters: {
                query?: {
                    columns?: string;
                    header?: boolean;
                    encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1251" | "windows-1252";
                    usernames?: "file" | "local_part" | "address";
                };
            };
            /** A table with commas, semicolons or tabs, in UTF-8, UTF-16, Windows-1251 or Windows-1252. */
            requestBody: { content: { "text/csv": string; "text/tab-separated-values": string; "text/plain": string; }; };
            responses: { 201: Json<components["schemas"]["ImportedUser"][]>; };
        };
    };
    "/api/admin/users/export": {
        /** Users as a CSV */
        get: {
            parameters: { query?: { q?: string; role?: "student" | "instructor" | "admin"; is_active?: boolean; }; };
            responses: { 200: { content: { "text/csv": string; }; }; };
        };
    };
    "/api/admin/user-imports/check": {
        /** What an import of users would do */
        post: {
            parameters: {
                query?: {
                    columns?: string;
                    header?: boolean;
                    encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1251" | "windows-1252";
                    usernames?: "file" | "local_part" | "address";
                };
            };
            /** A table with commas, semicolons or tabs, in UTF-8, UTF-16, Windows-1251 or Windows-1252. */
            requestBody: { content: { "text/csv": string; "text/tab-separated-values": string; "text/plain": string; }; };
            responses: { 200: Json<components["schemas"]["ImportCheck"]>; };
        };
    };
    "/api/admin/user-imports": {
        /** The last imports of users */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["UserImport"][]>; }; };
        /** Import users in the background */
        post: {
            parameters: {
                query?: {
                    columns?: string;
                    header?: boolean;
                    encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1251" | "windows-1252";
                    usernames?: "file" | "local_part" | "address";
                };
            };
            /** A table with commas, semicolons or tabs, in UTF-8, UTF-16, Windows-1251 or Windows-1252. */
            requestBody: { content: { "text/csv": string; "text/tab-separated-values": string; "text/plain": string; }; };
            responses: { 202: Json<components["schemas"]["UserImport"]>; };
        };
    };
    "/api/admin/user-imports/{id}": {
        /** An import of users, with its progress */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["UserImport"]>; }; };
    };
    "/api/admin/user-imports/{id}/cancel": {
        /** Cancel an import of users */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["UserImport"]>; }; };
    };
    "/api/admin/user-imports/{id}/invitations": {
        /** Issue invitations to the users of an import */
        post: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Invitation"][]>; }; };
    };
    "/api/admin/users/{id}/invitation": {
        /** Issue an invitation to a user */
        post: { parameters: { path: { id: number; }; }; responses: { 201: Json<components["schemas"]["Invitation"]>; }; };
    };
    "/api/admin/registration-codes": {
        /** All registration codes, newest first or by `sort` */
        get: {
            parameters: { query?: { sort?: "created_at" | "code" | "uses" | "expires_at"; order?: "asc" | "desc"; page?: number; page_size?: number; }; };
            responses: { 200: Json<components["schemas"]["RegistrationCode"][]>; };
        };
        /** Create a registration code */
        post: {
            parameters: NoParameters;
            requestBody?: Json<components["schemas"]["NewRegistrationCode"]>;
            responses: { 201: Json<components["schemas"]["RegistrationCode"]>; };
        };
    };
    "/api/admin/registration-codes/{id}": {
        /** Withdraw a registration code */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/admin/lessons/courses": {
        /** All courses, including inactive ones */
        get: {
            parameters: { query?: { page?: number; page_size?: number; }; };
            responses: { 200: Json<components["schemas"]["AdministeredCourse"][]>; };
        };
        /** Create a course */
        post: {
            parameters: NoParameters;
            requestBody?: Json<components["schemas"]["CourseFields"]>;
            responses: { 201: Json<components["schemas"]["AdministeredCourse"]>; };
        };
    };
    "/api/admin/lessons/courses/{course_id}": {
        /** One course */
        get: { parameters: { path: { course_id: number; }; }; responses: { 200: Json<components["schemas"]["AdministeredCourse"]>; }; };
        /** Change a course */
        put: {
            parameters: { path: { course_id: number; }; };
            requestBody?: Json<components["schemas"]["CourseFields"]>;
            responses: { 200: Json<components["schemas"]["AdministeredCourse"]>; };
        };
        /** Delete a course */
        delete: { parameters: { path: { course_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/admin/lessons/sections": {
        /** All sections, or those of one course, including inactive ones */
        get: {
            parameters: { query?: { page?: number; page_size?: number; course_id?: number; }; };
            responses: { 200: Json<components["schemas"]["SectionDetails"][]>; };
        };
        /** Create a section */
        post: {
            parameters: NoParameters;
            requestBody?: Json<components["schemas"]["SectionFields"]>;
            responses: { 201: Json<components["schemas"]["SectionDetails"]>; };
        };
    };
    "/api/admin/lessons/sections/{section_id}": {
        /** One section */
        get: { parameters: { path: { section_id: number; }; }; responses: { 200: Json<components["schemas"]["SectionDetails"]>; }; };
        /** Change a section */
        put: {
            parameters: { path: { section_id: number; }; };
            requestBody?: Json<components["schemas"]["SectionFields"]>;
            responses: { 200: Json<components["schemas"]["SectionDetails"]>; };
        };
        /** Delete a section */
        delete: { parameters: { path: { section_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/admin/lessons/themes": {
        /** All themes, or those of one section, including inactive ones */
        get: {
            parameters: { query?: { page?: number; page_size?: number; section_id?: number; }; };
            responses: { 200: Json<components["schemas"]["ThemeDetails"][]>; };
        };
        /** Create a theme */
        post: {
            parameters: NoParameters;
            requestBody?: Json<components["schemas"]["ThemeFields"]>;
            responses: { 201: Json<components["schemas"]["ThemeDetails"]>; };
        };
    };
    "/api/admin/lessons/themes/{theme_id}": {
        /** One theme */
        get: { parameters: { path: { theme_id: number; }; }; responses: { 200: Json<components["schemas"]["ThemeDetails"]>; }; };
        /** Change a theme */
        put: {
            parameters: { path: { theme_id: number; }; };
            requestBody?: Json<components["schemas"]["ThemeFields"]>;
            responses: { 200: Json<components["schemas"]["ThemeDetails"]>; };
        };
        /** Delete a theme */
        delete: { parameters: { path: { theme_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/admin/sandbox-templates": {
        /** All sandbox templates, including inactive ones */
        get: { parameters: { query?: { page?: number; page_size?: number; }; }; responses: { 200: Json<components["schemas"]["SandboxTemplate"][]>; }; };
        /** Create a sandbox template */
        post: {
            parameters: NoParameters;
            requestBody?: Json<components["schemas"]["SandboxTemplateFields"]>;
            responses: { 201: Json<components["schemas"]["SandboxTemplate"]>; };
        };
    };
    "/api/admin/sandbox-templates/{id}": {
        /** One sandbox template */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["SandboxTemplate"]>; }; };
        /** Change a sandbox template */
        put: {
            parameters: { path: { id: number; }; };
            requestBody?: Json<components["schemas"]["SandboxTemplateFields"]>;
            responses: { 200: Json<components["schemas"]["SandboxTemplate"]>; };
        };
        /** Delete a sandbox template */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/admin/lessons/import-preview": {
        /** The courses that an import of a repository would create or change */
        post: {
            parameters: NoParameters;
            requestBody?: Json<components["schemas"]["CourseRepository"]>;
            responses: { 200: Json<components["schemas"]["CourseOutline"]>; };
        };
    };
    "/api/admin/lessons/import": {
        /** Import the courses of a repository, or bring them up to date */
        post: {
            parameters: NoParameters;
            requestBody?: Json<components["schemas"]["CourseImport"]>;
            responses: { 200: Json<components["schemas"]["CourseOutline"]>; };
        };
    };
    "/api/admin/exams": {
        /** All exams, including inactive ones */
        get: {
            parameters: {
                query?: {
                    sort?: "position" | "title" | "is_active" | "place" | "task_count" | "max_score" | "time_limit_minutes" | "container_image";
                    order?: "asc" | "desc";
                    page?: number;
                    page_size?: number;
                };
            };
            responses: { 200: Json<components["schemas"]["Exam"][]>; };
        };
        /** Create an exam */
        post: {
            parameters: NoParameters;
            requestBody?: Json<components["schemas"]["ExamFields"]>;
            responses: { 201: Json<components["schemas"]["Exam"]>; };
        };
    };
    "/api/admin/exams/{id}": {
        /** One exam */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Exam"]>; }; };
        /** Change an exam */
        put: {
            parameters: { path: { id: number; }; };
            requestBody?: Json<components["schemas"]["ExamFields"]>;
            responses: { 200: Json<components["schemas"]["Exam"]>; };
        };
        /** Delete an exam */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["SubjectDeleted"]>; }; };
    };
    "/api/admin/exams/{id}/tasks": {
        /** The tasks of an exam in their order */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["ExamTask"][]>; }; };
        /** Add a task to an exam, at the position `order_index` or at the end */
        post: {
            parameters: { path: { id: number; }; };
            requestBody?: Json<components["schemas"]["ExamTaskFields"]>;
            responses: { 201: Json<components["schemas"]["ExamTask"]>; };
        };
    };
    "/api/admin/exams/{id}/tasks/order": {
        /** Reorder the tasks of an exam */
        put: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["TaskOrder"]>;
            responses: { 200: Json<components["schemas"]["ExamTask"][]>; };
        };
    };
    "/api/admin/exams/{id}/tasks/{task_id}": {
        /** One task of an exam */
        get: { parameters: { path: { id: number; task_id: number; }; }; responses: { 200: Json<components["schemas"]["ExamTask"]>; }; };
        /** Change a task, or its position by `order_index`; omitted fields are unchanged */
        put: {
            parameters: { path: { id: number; task_id: number; }; };
            requestBody?: Json<components["schemas"]["ExamTaskFields"]>;
            responses: { 200: Json<components["schemas"]["ExamTask"]>; };
        };
        /** Delete a task; its results are kept */
        delete: { parameters: { path: { id: number; task_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/admin/exams/{id}/states": {
        /** The states of an exam that attempts run on, the newest first */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["RunningState"][]>; }; };
    };
    "/api/admin/exams/{id}/files": {
        /** The files of an exam and of its tasks, without their contents */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["SetupFile"][]>; }; };
        /** Upload a file of an exam */
        put: {
            parameters: { query: { path: string; owner?: string; mode?: string; task_id?: number; }; path: { id: number; }; };
            requestBody: { content: { "application/octet-stream": string; }; };
            responses: { 200: Json<components["schemas"]["SetupFile"]>; 201: Json<components["schemas"]["SetupFile"]>; };
        };
    };
    "/api/admin/exams/{id}/files/{file_id}": {
        /** The content of one file of an exam */
        get: { parameters: { path: { id: number; file_id: number; }; }; responses: { 200: { content: { "application/octet-stream": string; }; }; }; };
        /** Change the path, owner or mode of a file of an exam; omitted fields are unchanged */
        put: {
            parameters: { path: { id: number; file_id: number; }; };
            requestBody?: Json<components["schemas"]["SetupFileFields"]>;
            responses: { 200: Json<components["schemas"]["SetupFile"]>; };
        };
        /** Delete a file of an exam */
        delete: { parameters: { path: { id: number; file_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/admin/laboratories": {
        /** All laboratories, including inactive ones */
        get: {
            parameters: {
                query?: {
                    sort?: "position" | "title" | "is_active" | "place" | "task_count" | "max_score" | "time_limit_minutes" | "container_image";
                    order?: "asc" | "desc";
                    page?: number;
                    page_size?: number;
                };
            };
            responses: { 200: Json<components["schemas"]["Laboratory"][]>; };
        };
        /** Create a laboratory */
        post: {
            parameters: NoParameters;
            requestBody?: Json<components["schemas"]["LaboratoryFields"]>;
            responses: { 201: Json<components["schemas"]["Laboratory"]>; };
        };
    };
    "/api/admin/laboratories/{id}": {
        /** One laboratory */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Laboratory"]>; }; };
        /** Change a laboratory */
        put: {
            parameters: { path: { id: number; }; };
            requestBody?: Json<components["schemas"]["LaboratoryFields"]>;
            responses: { 200: Json<components["schemas"]["Laboratory"]>; };
        };
        /** Delete a laboratory */
        delete: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["SubjectDeleted"]>; }; };
    };
    "/api/admin/laboratories/{id}/tasks": {
        /** The tasks of a laboratory in their order */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["LaboratoryTask"][]>; }; };
        /** Add a task to a laboratory, at the position `order_index` or at the end */
        post: {
            parameters: { path: { id: number; }; };
            requestBody?: Json<components["schemas"]["LaboratoryTaskFields"]>;
            responses: { 201: Json<components["schemas"]["LaboratoryTask"]>; };
        };
    };
    "/api/admin/laboratories/{id}/tasks/order": {
        /** Reorder the tasks of a laboratory */
        put: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["TaskOrder"]>;
            responses: { 200: Json<components["schemas"]["LaboratoryTask"][]>; };
        };
    };
    "/api/admin/laboratories/{id}/tasks/{task_id}": {
        /** One task of a laboratory */
        get: { parameters: { path: { id: number; task_id: number; }; }; responses: { 200: Json<components["schemas"]["LaboratoryTask"]>; }; };
        /** Change a task, or its position by `order_index`; omitted fields are unchanged */
        put: {
            parameters: { path: { id: number; task_id: number; }; };
            requestBody?: Json<components["schemas"]["LaboratoryTaskFields"]>;
            responses: { 200: Json<components["schemas"]["LaboratoryTask"]>; };
        };
        /** Delete a task; its results are kept */
        delete: { parameters: { path: { id: number; task_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/admin/laboratories/{id}/states": {
        /** The states of a laboratory that attempts run on, the newest first */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["RunningState"][]>; }; };
    };
    "/api/admin/laboratories/{id}/files": {
        /** The files of a laboratory and of its tasks, without their contents */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["SetupFile"][]>; }; };
        /** Upload a file of a laboratory */
        put: {
            parameters: { query: { path: string; owner?: string; mode?: string; task_id?: number; }; path: { id: number; }; };
            requestBody: { content: { "application/octet-stream": string; }; };
            responses: { 200: Json<components["schemas"]["SetupFile"]>; 201: Json<components["schemas"]["SetupFile"]>; };
        };
    };
    "/api/admin/laboratories/{id}/files/{file_id}": {
        /** The content of one file of a laboratory */
        get: { parameters: { path: { id: number; file_id: number; }; }; responses: { 200: { content: { "application/octet-stream": string; }; }; }; };
        /** Change the path, owner or mode of a file of a laboratory; omitted fields are unchanged */
        put: {
            parameters: { path: { id: number; file_id: number; }; };
            requestBody?: Json<components["schemas"]["SetupFileFields"]>;
            responses: { 200: Json<components["schemas"]["SetupFile"]>; };
        };
        /** Delete a file of a laboratory */
        delete: { parameters: { path: { id: number; file_id: number; }; }; responses: { 200: Json<components["schemas"]["Done"]>; }; };
    };
    "/api/admin/exams/{id}/try": {
        /** Try the checks and solutions of all tasks of an exam */
        post: {
            parameters: { path: { id: number; }; };
            requestBody?: Json<components["schemas"]["ExamChanges"]>;
            responses: { 200: Json<components["schemas"]["TrialReport"]>; };
        };
    };
    "/api/admin/exams/{id}/publish": {
        /** Try an exam, and publish it if no problem is found */
        post: {
            parameters: { path: { id: number; }; };
            requestBody?: Json<components["schemas"]["ExamPublication"]>;
            responses: { 200: Json<components["schemas"]["TrialReport"]>; };
        };
    };
    "/api/admin/exams/{id}/trial": {
        /** The report of the trial that refused the caller's last publication of an exam */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["TrialReport"]>; }; };
    };
    "/api/admin/exams/{id}/tasks/{task_id}/try": {
        /** Try one task of an exam alone, with saved or unsaved scripts */
        post: {
            parameters: { path: { id: number; task_id: number; }; };
            requestBody?: Json<components["schemas"]["TaskScripts"]>;
            responses: { 200: Json<components["schemas"]["TrialReport"]>; };
        };
    };
    "/api/admin/laboratories/{id}/try": {
        /** Try the checks and solutions of all tasks of a laboratory */
        post: {
            parameters: { path: { id: number; }; };
            requestBody?: Json<components["schemas"]["LaboratoryChanges"]>;
            responses: { 200: Json<components["schemas"]["TrialReport"]>; };
        };
    };
    "/api/admin/laboratories/{id}/publish": {
        /** Try a laboratory, and publish it if no problem is found */
        post: {
            parameters: { path: { id: number; }; };
            requestBody?: Json<components["schemas"]["LaboratoryPublication"]>;
            responses: { 200: Json<components["schemas"]["TrialReport"]>; };
        };
    };
    "/api/admin/laboratories/{id}/trial": {
        /** The report of the trial that refused the caller's last publication of a laboratory */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["TrialReport"]>; }; };
    };
    "/api/admin/laboratories/{id}/tasks/{task_id}/try": {
        /** Try one task of a laboratory alone, with saved or unsaved scripts */
        post: {
            parameters: { path: { id: number; task_id: number; }; };
            requestBody?: Json<components["schemas"]["TaskScripts"]>;
            responses: { 200: Json<components["schemas"]["TrialReport"]>; };
        };
    };
    "/api/instructor/attempts": {
        /** Attempts of all students, newest first or by `sort` */
        get: {
            parameters: {
                query?: {
                    kind?: "exam" | "laboratory";
                    exam_id?: number;
                    laboratory_id?: number;
                    course_id?: number;
                    user_id?: number;
                    status?: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
                    passed?: boolean;
                    search?: string;
                    from?: string;
                    to?: string;
                    sort?: "started_at" | "username" | "title" | "status" | "score";
                    order?: "asc" | "desc";
                    page?: number;
                    page_size?: number;
                    cursor?: string;
                };
            };
            responses: { 200: Json<components["schemas"]["StudentAttempt"][]>; };
        };
    };
    "/api/instructor/attempts/export": {
        /** Attempts of all students as a CSV */
        get: {
            parameters: {
                query?: {
                    kind?: "exam" | "laboratory";
                    exam_id?: number;
                    laboratory_id?: number;
                    course_id?: number;
                    user_id?: number;
                    status?: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
                    passed?: boolean;
                    search?: string;
                    from?: string;
                    to?: string;
                };
            };
            responses: { 200: { content: { "text/csv": string; }; }; };
        };
    };
    "/api/instructor/attempts/{id}": {
        /** A student's attempt with its results */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["StudentResults"]>; }; };
    };
    "/api/instructor/attempts/{id}/extend": {
        /** Add minutes to a student's attempt */
        post: {
            parameters: { path: { id: number; }; };
            requestBody: Json<components["schemas"]["AddedTime"]>;
            responses: { 200: Json<components["schemas"]["StudentResults"]>; };
        };
    };
    "/api/instructor/containers": {
        /** Running containers of students, newest first */
        get: {
            parameters: {
                query?: {
                    container_id?: number;
                    kind?: "sandbox" | "exam" | "laboratory";
                    user_id?: number;
                    exam_id?: number;
                    laboratory_id?: number;
                    page?: number;
                    page_size?: number;
                };
            };
            responses: { 200: Json<components["schemas"]["WatchableContainer"][]>; };
        };
    };
    "/api/instructor/subjects": {
        /** Subjects with a grade book: exams, then laboratories, by title */
        get: { parameters: { query?: { page?: number; page_size?: number; }; }; responses: { 200: Json<components["schemas"]["Subject"][]>; }; };
    };
    "/api/instructor/exams/{id}/grade-book": {
        /** Grades of an exam: students by tasks */
        get: {
            parameters: {
                query?: {
                    attempt?: "best" | "latest";
                    search?: string;
                    sort?: "username" | "score";
                    order?: "asc" | "desc";
                    page?: number;
                    page_size?: number;
                    cursor?: string;
                };
                path: { id: number; };
            };
            responses: { 200: Json<components["schemas"]["ExamGradeBook"]>; };
        };
    };
    "/api/instructor/exams/{id}/grade-book/export": {
        /** The grade book of an exam as a CSV */
        get: {
            parameters: { query?: { attempt?: "best" | "latest"; }; path: { id: number; }; };
            responses: { 200: { content: { "text/csv": string; }; }; };
        };
    };
    "/api/instructor/laboratories/{id}/grade-book": {
        /** Grades of a laboratory: students by tasks */
        get: {
            parameters: {
                query?: {
                    attempt?: "best" | "latest";
                    search?: string;
                    sort?: "username" | "score";
                    order?: "asc" | "desc";
                    page?: number;
                    page_size?: number;
                    cursor?: string;
                };
                path: { id: number; };
            };
            responses: { 200: Json<components["schemas"]["LaboratoryGradeBook"]>; };
        };
    };
    "/api/instructor/laboratories/{id}/grade-book/export": {
        /** The grade book of a laboratory as a CSV */
        get: {
            parameters: { query?: { attempt?: "best" | "latest"; }; path: { id: number; }; };
            responses: { 200: { content: { "text/csv": string; }; }; };
        };
    };
    "/api/instructor/overview": {
        /** Who is stuck, what waits, what runs, and what comes next */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["InstructorOverview"]>; }; };
    };
    "/api/search": {
        /** Search lessons, laboratories, exams and own notes */
        get: { parameters: { query: { q: string; }; }; responses: { 200: Json<components["schemas"]["SearchResults"]>; }; };
    };
    "/api/dashboard/stats": {
        /** The caller's figures */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["Statistics"]>; }; };
    };
    "/api/dashboard/course-subjects": {
        /** The laboratories and exams of a course, and which of them the caller has passed */
        get: {
            parameters: { query?: { course_id?: number; section_id?: number; }; };
            responses: { 200: Json<components["schemas"]["CourseSubject"][]>; };
        };
    };
    "/api/dashboard/activity": {
        /** The activity of the caller, newest first */
        get: {
            parameters: { query?: { page?: number; page_size?: number; cursor?: string; }; };
            responses: { 200: Json<components["schemas"]["Activity"][]>; };
        };
    };
    "/api/dashboard/analytics": {
        /** The caller's days, courses and scores, ready to plot */
        get: { parameters: { query?: { days?: number; }; }; responses: { 200: Json<components["schemas"]["Analytics"]>; }; };
    };
    "/api/first-steps": {
        /** What to do first in a new installation, and what is done */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["FirstStep"][]>; }; };
    };
    "/api/catalogue": {
        /** The courses of the front page, for visitors without an account */
        get: { parameters: { query?: { page?: number; page_size?: number; }; }; responses: { 200: Json<components["schemas"]["OpenCourse"][]>; }; };
    };
    "/api/profile/me": {
        /** The caller's profile */
        get: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["Profile"]>; }; };
        /** Change the caller's profile */
        put: {
            parameters: NoParameters;
            requestBody: Json<components["schemas"]["ProfileChanges"]>;
            responses: { 200: Json<components["schemas"]["Profile"]>; };
        };
    };
    "/api/profile/avatar": {
        /** Set the caller's picture */
        post: {
            parameters: NoParameters;
            requestBody: {
                content: {
                    "multipart/form-data": {
                        /** PNG, JPEG, WebP or GIF. A field of any other name is taken as well. */
                        file: string;
                    };
                };
            };
            responses: { 200: Json<components["schemas"]["Profile"]>; };
        };
        /** Remove the caller's picture */
        delete: { parameters: NoParameters; responses: { 200: Json<components["schemas"]["Profile"]>; }; };
    };
    "/avatars/{file}": {
        /** A picture of a user */
        get: { parameters: { path: { file: string; }; }; responses: { 200: { content: { "image/webp": string; }; }; }; };
    };
    "/api/containers/{id}/terminals": {
        /** The open shells of a container, oldest first */
        get: { parameters: { path: { id: number; }; }; responses: { 200: Json<components["schemas"]["Shell"][]>; }; };
    };
    "/api/containers/{id}/files": {
        /** Download a file of a container */
        get: {
            parameters: { query: { path: string; session?: string; }; path: { id: number; }; };
            responses: { 200: { content: { "application/octet-stream": string; }; }; };
        };
        /** Upload a file to a container */
        put: {
            parameters: { query: { path: string; session?: string; is_replacing?: boolean; }; path: { id: number; }; };
            /** The content of the file, with `Content-Length`. */
            requestBody: { content: { "application/octet-stream": string; }; };
            responses: { 200: Json<components["schemas"]["UploadedFile"]>; };
        };
    };
    "/healthz": {
        /** The process is alive */
        get: { parameters: NoParameters; responses: { 200: Json<{ status: "ok"; }>; }; };
    };
    "/readyz": {
        /** The service is ready: the database answers, and the process was not told to stop */
        get: { parameters: NoParameters; responses: { 200: Json<{ status: "ok" | "unavailable"; has_database: boolean; has_containers: boolean; }>; }; };
    };
    "/metrics": {
        /** Prometheus metrics */
        get: { parameters: NoParameters; responses: { 200: {}; }; };
    };
}
export interface components {
    schemas: {
        /** Null: that of the class, otherwise as for everybody. */
        Accommodation: {
            user_id: number;
            username: string;
            full_name: string | null;
            time_factor: number | null;
            opens_at: string | null;
            closes_at: string | null;
            max_attempts: number | null;
            break_minutes: number | null;
        };
        AccommodationChange: {
            time_factor?: number | null;
            opens_at?: string | null;
            closes_at?: string | null;
            max_attempts?: number | null;
            break_minutes?: number | null;
        };
        Activity: {
            id: number;
            type: "lesson_complete" | "exam_start" | "exam_submit" | "exam_expire" | "exam_abandon" | "laboratory_start" | "laboratory_submit" | "laboratory_expire" | "laboratory_abandon" | "container_create" | "container_delete" | "container_full" | "container_yield" | "container_evict" | "container_replace" | "register";
            title: string;
            entity_type: string | null;
            entity_id: number | null;
            created_at: string;
        };
        ActivityEntry: {
            id: number;
            type: string;
            title: string;
            user_id: number | null;
            username: string | null;
            actor_id: number | null;
            actor_username: string | null;
            entity_type: string | null;
            entity_id: number | null;
            details: { [key: string]: unknown; } | null;
            created_at: string;
        };
        AddedTime: { minutes: number; };
        AdministeredCourse: {
            id: number;
            name: string;
            slug: string;
            description: string;
            icon: string;
            order_index: number;
            is_active: boolean;
            template_id: number | null;
            /** Of the students, only members of its classes see it. */
            is_class_only: boolean;
            repository_id: number | null;
        };
        Analytics: {
            /** Every day, including days without activity. */
            days: {
                /** A day in UTC; today is the last. */
                date: string;
                themes_completed: number;
                attempts_submitted: number;
            }[];
            /** In the order of the courses. */
            courses: {
                course_id: number;
                name: string;
                completed_themes: number;
                total_themes: number;
                /** 0 to 100, with one decimal. */
                percent: number;
            }[];
            /** The attempts submitted on these days, oldest first; at most the newest 500. */
            scores: {
                attempt_id: number;
                kind: "exam" | "laboratory";
                exam_id: number | null;
                laboratory_id: number | null;
                title: string;
                score: number;
                max_score: number;
                /** 0 to 100, with one decimal. */
                percent: number;
                passed: boolean;
                submitted_at: string;
            }[];
        };
        Announcement: {
            id: number;
            class_id: number | null;
            class_name: string | null;
            title: string;
            /** Markdown, as in lessons. */
            text: string;
            author: string | null;
            shows_from: string;
            shows_until: string | null;
            /** Whether its readers see it now. */
            is_shown: boolean;
            /** By the caller. */
            is_read: boolean;
            /** Whether the caller may change and delete it. */
            may_change: boolean;
            created_at: string;
            edited_at: string | null;
        };
        AnnouncementChange: {
            title?: string;
            /** Markdown, as in lessons. */
            text?: string;
            shows_from?: string;
            shows_until?: string | null;
        };
        Attempt: {
            kind: "exam" | "laboratory";
            laboratory_id: number | null;
            exam_id: number | null;
            session_id: number | null;
            /** Its clock has been stopped since then. `expires_at` moves when the session is resumed, or the break ends. */
            paused_at: string | null;
            /** When the break ends that began at `paused_at`. While the session is paused, it moves with the time. Null: the student is not on a break. */
            break_ends_at: string | null;
            /** Whether an instructor or administrator ended it before its time: while it was in progress, and it is graded as it was at `submitted_at`, or in the queue. */
            is_ended_by_staff: boolean;
            id: number;
            user_id: number;
            title: string;
            container_id: number | null;
            container_name: string;
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            max_score: number;
            passing_score: number;
            passed: boolean | null;
            grading_error: string | null;
            /** Why the grading failed, or why the attempt ended without a result; /api/docs/errors lists the codes. Null for some older errors as well. */
            grading_error_code: "container_full" | "container_lost" | "container_not_created" | "container_replaced" | "container_stopped" | "container_unreachable" | "engine_unavailable" | "grading_failed" | "grading_interrupted" | "restored_from_backup" | null;
        };
        AttemptBreak: {
            attempt_id: number;
            expires_at: string | null;
            /** Its clock has been stopped since then. `expires_at` moves when the session is resumed, or the break ends. */
            paused_at: string | null;
            /** When the break ends that began at `paused_at`. While the session is paused, it moves with the time. Null: the student is not on a break. */
            break_ends_at: string | null;
            break_seconds_left: number | null;
        };
        AttemptResults: {
            kind: "exam" | "laboratory";
            laboratory_id: number | null;
            exam_id: number | null;
            session_id: number | null;
            /** Its clock has been stopped since then. `expires_at` moves when the session is resumed, or the break ends. */
            paused_at: string | null;
            /** When the break ends that began at `paused_at`. While the session is paused, it moves with the time. Null: the student is not on a break. */
            break_ends_at: string | null;
            /** Whether an instructor or administrator ended it before its time: while it was in progress, and it is graded as it was at `submitted_at`, or in the queue. */
            is_ended_by_staff: boolean;
            ended_by: string | null;
            break_seconds_left: number | null;
            /** While the attempt is in progress, the newest last. */
            messages: components["schemas"]["ExamMessage"][];
            id: number;
            user_id: number;
            title: string;
            container_id: number | null;
            container_name: string;
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            max_score: number;
            passing_score: number;
            passed: boolean | null;
            grading_error: string | null;
            /** Why the grading failed, or why the attempt ended without a result; /api/docs/errors lists the codes. Null for some older errors as well. */
            grading_error_code: "container_full" | "container_lost" | "container_not_created" | "container_replaced" | "container_stopped" | "container_unreachable" | "engine_unavailable" | "grading_failed" | "grading_interrupted" | "restored_from_backup" | null;
            /** The place in the queue of starts; 1 is the next. */
            position?: number;
            /** Until the start: derived from recent starts, or from the deadlines of running attempts if all containers are in use. */
            estimated_seconds?: number;
            integrity?: string[] | null;
            /** Tasks graded since the submission: the progress of the grading. */
            graded_count: number;
            conclusion?: string | null;
            /** Students receive the results of an exam when the attempt is `finished` or `expired`, and when its session shows them. Until then the list is empty, and `score` and `passed` are null. */
            results: components["schemas"]["TaskResult"][];
        };
        /** The exam or laboratory as it was at the start: what the attempt is shown and graded by. */
        AttemptState: {
            /** When it was published, or when the first attempt of it started. */
            recorded_at: string;
            title: string;
            description: string;
            introduction: string;
            conclusion: string;
            container_image: string;
            passing_score: number;
            max_score: number;
            is_sequential: boolean;
            setup_script: string | null;
            tasks: components["schemas"]["AttemptTask"][];
        };
        AttemptTask: {
            id: number;
            title: string;
            description: string;
            /** Only of laboratories. */
            hint?: string;
            points: number;
            order_index: number;
            verification_script: string;
            verdict: "pass" | "exit-status" | "ok";
            setup_script: string | null;
        };
        AttemptTimeChange: {
            /** The total time from the start. */
            time_limit_minutes?: number;
        };
        /** Fields of the exam. Omitted fields are unchanged. */
        ChangedExam: {
            title?: string;
            description?: string;
            /** Markdown, shown before the start and during an attempt. */
            introduction?: string;
            /** Markdown, shown with the results of an attempt that has ended. */
            conclusion?: string;
            container_image?: string;
            /** The account of students in the container; default `student`. 422: the image does not grant root. */
            user?: "student" | "root";
            /** In points. */
            passing_score?: number;
            setup_script?: string | null;
            time_limit_minutes?: number;
            course_id?: number | null;
            order_index?: number;
            /** It starts for nobody outside of exam sessions, and students see the texts of its tasks from their start on. It becomes true when an administrator plans its first session. */
            is_session_only?: boolean;
        };
        /** Omitted fields are unchanged. */
        ChangedExamTask: {
            title?: string;
            description?: string;
            points?: number;
            /** Bash that gives the verdict as `verdict` says. */
            verification_script?: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
            id: number;
        };
        /** Fields of the laboratory. Omitted fields are unchanged. */
        ChangedLaboratory: {
            title?: string;
            description?: string;
            /** Markdown, shown before the start and during an attempt. */
            introduction?: string;
            /** Markdown, shown with the results of an attempt that has ended. */
            conclusion?: string;
            container_image?: string;
            /** The account of students in the container; default `student`. 422: the image does not grant root. */
            user?: "student" | "root";
            /** In points. */
            passing_score?: number;
            setup_script?: string | null;
            time_limit_minutes?: number | null;
            section_id?: number | null;
            /** The tasks open one after another: each when the one before has passed. */
            is_sequential?: boolean;
        };
        /** Omitted fields are unchanged. */
        ChangedLaboratoryTask: {
            title?: string;
            description?: string;
            points?: number;
            /** Bash that gives the verdict as `verdict` says. */
            verification_script?: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
            hint?: string;
            id: number;
        };
        ChosenForecast: {
            /** Of students whom the caller can choose; at most `EXAM_SESSION_USERS_MAX`. */
            user_ids: number[];
            opens_at: string;
            closes_at: string;
        };
        ChosenStudent: {
            user_id: number;
            username: string;
            full_name: string | null;
            email: string;
            added_at: string;
            /** In the session. */
            attempts: number;
        };
        Class: {
            id: number;
            name: string;
            description: string;
            is_archived: boolean;
            /** The courses that are assigned to the class. */
            course_ids: number[];
            member_count: number;
            /** Whether students see their own grades. */
            is_grade_book_visible: boolean;
            /** The role of the caller in the class. Null if the caller is not a member. */
            my_role: ("student" | "assistant" | "instructor") | null;
            created_at: string;
        };
        /** Where the accommodation of a session has a value, that one holds. */
        ClassAccommodation: {
            user_id: number;
            username: string;
            full_name: string | null;
            /** Of the time limit. */
            time_factor: number;
            extra_attempts: number;
            break_minutes: number | null;
        };
        ClassAccommodationChange: {
            /** Of the time limit. */
            time_factor?: number;
            extra_attempts?: number;
            break_minutes?: number | null;
        };
        ClassChange: {
            name?: string;
            description?: string;
            /** An archived class gets no members and no join codes. */
            is_archived?: boolean;
            /** Replaces the courses of the class. */
            course_ids?: number[];
        };
        ClassGrades: {
            rules: components["schemas"]["GradeBookRules"];
            /** The exams and laboratories of the courses of the class. */
            subjects: {
                /** Such as `exam-3`, `laboratory-4` or `column-5`. */
                key: string;
                kind: "exam" | "laboratory";
                id: number;
                title: string;
                max_score: number;
                passing_score: number;
                /** A retired exam or laboratory is listed if a student has a grade in it. It counts for no total. */
                is_active: boolean;
                weight: number;
                /** Of an exam session only the attempt that counts there takes part. Of equal scores the newest. */
                counted_attempt: "best" | "last" | "first";
            }[];
            /** Columns with typed values. */
            columns: {
                /** Such as `exam-3`, `laboratory-4` or `column-5`. */
                key: string;
                id: number;
                name: string;
                max_score: number;
                weight: number;
            }[];
            /** The maximum of the active ones and of the columns together. */
            max_score: number;
            students: {
                user_id: number;
                username: string;
                full_name: string | null;
                email: string;
                /** The sum of the scores in the active ones and of the values. */
                score: number;
                /** How many active ones are passed. */
                passed: number;
                /** How many active ones have no graded attempt, and columns no value. */
                missing: number;
                percent: number | null;
                is_passed: boolean | null;
                /** What does not count because it is among the lowest. */
                dropped: string[];
                /** In the order of `subjects`; null without an attempt. */
                results: (components["schemas"]["Grade"] | null)[];
                /** In the order of `columns`; null without a value. */
                values: (number | null)[];
            }[];
        };
        ClassProgress: {
            total_themes: number;
            /** The active exams and laboratories of the active courses of the class. */
            subjects: {
                kind: "exam" | "laboratory";
                id: number;
                title: string;
                max_score: number;
                /** When a laboratory is due in the class. */
                due_at: string | null;
            }[];
            counts: { not_begun: number; begun: number; stuck: number; finished: number; };
            students: {
                user_id: number;
                username: string;
                full_name: string | null;
                email: string;
                state: "not_begun" | "begun" | "stuck" | "finished";
                completed_themes: number;
                last_active_at: string | null;
                /** In the order of `subjects`; null without an attempt. */
                results: ({
                    attempts: number;
                    score: number | null;
                    passed: boolean;
                    /** When the first attempt that passed was submitted. */
                    passed_at: string | null;
                    /** Whether an attempt has begun and not ended. */
                    is_active: boolean;
                } | null)[];
            }[];
        };
        Container: {
            id: number;
            name: string;
            user_id: number;
            kind: "sandbox" | "exam" | "laboratory";
            image: string;
            template_id: number | null;
            status: "creating" | "running" | "stopped" | "failed";
            created_at: string;
            started_at: string | null;
            stopped_at: string | null;
            /** Why it was stopped, unless its user did: `idle`: nobody used it; `room`: nobody used it and capacity was needed; `disk`: its disk was full; `exam`: its user takes an exam that allows no sandboxes. */
            stop_reason: "idle" | "room" | "disk" | "exam" | null;
            expires_at: string | null;
            /** When it last replaced a container whose machine was lost; null: never. */
            replaced_at: string | null;
            /** The time of the home folder that it began with then; null: no files were kept. */
            home_kept_at: string | null;
            /** What is left of it when it is stopped: all files, or those of the home folder only. */
            kept_when_stopped: "all" | "home";
        };
        ContainerLimits: {
            /** Sandboxes that a user can have at a time, stopped ones included. */
            sandboxes: number;
        };
        Course: {
            id: number;
            name: string;
            slug: string;
            description: string;
            icon: string;
            order_index: number;
            is_active: boolean;
            template_id: number | null;
            /** Of the students, only members of its classes see it. */
            is_class_only: boolean;
            sections: components["schemas"]["Section"][];
            progress: {
                completed_themes: number;
                total_themes: number;
                /** 0 to 100, with one decimal. */
                percent: number;
            };
        };
        CourseFields: {
            name?: string;
            description?: string;
            icon?: string;
            template_id?: number | null;
            order_index?: number;
            slug?: string;
            is_active?: boolean;
            is_class_only?: boolean;
            repository_id?: number | null;
        };
        CourseImport: {
            url?: string | null;
            repository_id?: number | null;
            branch?: string | null;
            /** Deletes sections and themes that are no longer in the repository, with the progress in them. */
            deletes_gone?: boolean;
        };
        CourseOutline: {
            commit: string | null;
            format: "mkdocs" | "summary" | "jupyter-book" | "docusaurus" | "folders";
            file: string | null;
            courses: components["schemas"]["OutlineCourse"][];
            changes: components["schemas"]["OutlineChange"][];
            /** Entries that are left out; the first 200. */
            problems: components["schemas"]["OutlineProblem"][];
            problem_count: number;
            /** The first 200. */
            warnings: components["schemas"]["OutlineProblem"][];
            warning_count: number;
        };
        CourseRepository: { url?: string | null; repository_id?: number | null; branch?: string | null; };
        CourseSubject: {
            kind: "exam" | "laboratory";
            id: number;
            title: string;
            course_id: number;
            section_id: number | null;
            /** Whether the caller has passed an attempt whose results are visible. */
            is_passed: boolean;
        };
        CourseSummary: {
            id: number;
            name: string;
            slug: string;
            description: string;
            icon: string;
            order_index: number;
            is_active: boolean;
            template_id: number | null;
            /** Of the students, only members of its classes see it. */
            is_class_only: boolean;
            section_count: number;
            progress: {
                completed_themes: number;
                total_themes: number;
                /** 0 to 100, with one decimal. */
                percent: number;
            };
            next_theme: { id: number; title: string; } | null;
        };
        Deletion: {
            id: number;
            kind: "course" | "section" | "theme" | "exam" | "laboratory" | "exam_task" | "laboratory_task" | "sandbox_template" | "registration_code" | "class" | "class_join_code" | "class_grade_column" | "exam_session" | "announcement" | "note";
            /** The id that it had, and has again after it is restored. */
            entity_id: number;
            title: string;
            deleted_by: string | null;
            deleted_at: string;
            /** Then it is deleted for good. */
            expires_at: string;
            /** Rows of the database that are restored with it, itself included. */
            row_count: number;
        };
        Done: { detail: string; };
        Ending: {
            /** Without it: everybody in the session. */
            user_id?: number;
        };
        EndingBreak: { user_id: number; };
        /** The error in one sentence. Its stable code is in the header `Error-Code`. */
        Error: {
            /** In English. It can change at any time: decide by `Error-Code`. */
            detail: string;
        };
        /** - `bad_request` (400): The request is not valid HTTP, its path is not well encoded, or its body cannot be read. - `email_taken` (400): Another account has the email address. - `username_taken` (400): Another account has the username. - `wrong_password` (400): The current password, which the change of a password asks for, is not right. - `unauthorized` (401): There is no token, or it is malformed, expired, revoked or of a user who cannot log in. - `wrong_credentials` (401): The username or the password is not right. - `admin_required` (403): Only administrators may do this. - `closed` (403): The exam session is closed for the caller. - `file_denied` (403): The account of the caller on the machine may not read or write the file. - `forbidden` (403): The caller may not do this. - `instructor_required` (403): Only instructors and administrators may do this. - `login_locked` (403): The caller takes an exam in another login, which allows no second one; a supervisor can release it. - `no_attempts_left` (403): The caller has used all attempts of the exam session. - `not_open_yet` (403): The exam session opens later for the caller, at the time in `Retry-After`. - `registration_closed` (403): Nobody can register; administrators create the accounts. - `registration_code_missing` (403): Registration needs a registration code. - `registration_domain` (403): Registration is limited to email addresses of certain domains. - `wrong_access_code` (403): The exam session needs an access code, and this is not the one. - `wrong_invitation` (403): The invitation does not exist, has expired, was replaced or was used. - `wrong_network` (403): The exam session is limited to networks, and the request is from another one. - `wrong_registration_code` (403): The registration code does not exist, has expired or is used up. - `file_not_found` (404): The machine does not have the file, or the folder of it. - `lesson_file_not_found` (404): The lessons repository does not have the file. - `lesson_file_too_large` (404): The file in the lessons repository is too large to be served. - `no_active_attempt` (404): The caller has no active attempt, or none of this exam or laboratory. - `not_found` (404): The path or the resource does not exist, or the caller may not see it. - `unknown_code` (404): No class can be joined with the code: it is wrong, withdrawn, expired, used up or not for the caller. - `method_not_allowed` (405): The path exists but does not take this method; `Allow` lists those that it takes. - `request_timeout` (408): The request did not arrive completely in time. - `already_member` (409): The user is a member of the class, or takes part in the exam session, already. - `attempt_active` (409): The caller has an active attempt already. - `attempt_grading` (409): The attempt is being graded already. - `attempt_lost` (409): The container of the attempt was lost; the attempt does not count and can be started again. - `attempt_not_extendable` (409): Only an attempt in progress with a time limit can get more time. - `attempt_not_in_progress` (409): The attempt is not in progress any more. - `attempt_not_regradable` (409): Only an attempt in progress whose grading failed can be graded again. - `attempt_queued` (409): The attempt waits for its container; its clock has not started. - `catalogue_full` (409): The catalogue has as many entries of this kind as it can have. - `changed_meanwhile` (409): Somebody changed the resource at the same time; read it and try again. - `class_archived` (409): The class is archived, so it gets no members, no join codes and no imports. - `column_name_taken` (409): The grade book has a column with the name already. - `conflict` (409): The request contradicts what is stored. - `container_creating` (409): The container is still being created. - `container_not_running` (409): The container is not running. - `container_of_attempt` (409): The container belongs to an attempt and is deleted with it. - `exam_locked_down` (409): The caller takes an exam during which sandboxes and laboratories cannot be started, laboratories cannot be checked, and files cannot be uploaded. - `file_exists` (409): The machine has a file of this name. - `file_not_stored` (409): The machine could not store the file; its disk may be full. - `files_full` (409): The files of the exam, the laboratory or the written lessons are as many, or have as many bytes, as they can. - `import_not_running` (409): The import of users has ended. - `import_running` (409): Another import of users is running; it can be cancelled. - `home_too_large` (409): The home folder of the sandbox is too large to be kept, so the sandbox cannot be stopped. - `last_administrator` (409): The last active administrator can be neither deleted, demoted nor deactivated. - `member_in_exam` (409): The member takes an exam in a session of the class, and can neither leave nor be removed before it ends. - `last_class_instructor` (409): The last instructor of a class can neither leave, be removed nor get another role. - `last_session_supervisor` (409): The last supervisor of an exam session for chosen students cannot be removed. - `lesson_file_in_use` (409): A lesson has the file, so it cannot be deleted. - `machine_file_too_large` (409): The file of the machine is too large to be downloaded. - `member_has_password` (409): The member has a password already, so only administrators issue an invitation. - `no_break_left` (409): The accommodation of the student allows no break, or its time is used up. - `not_on_break` (409): No break is running in the attempt. - `no_tasks` (409): The exam or laboratory has no tasks yet. - `not_a_file` (409): The path is that of a folder, a device or another thing that is not a regular file. - `path_conflict` (409): Another file has the path, or one would be a folder of the other. - `publish_required` (409): The exam or laboratory becomes active by being published, which tries its checks first. - `sandbox_disk_full` (409): The disk of the sandbox was full, so it can only be deleted. - `repository_in_use` (409): Courses read their lessons from the repository, so it cannot be deleted. - `restore_conflict` (409): What was deleted cannot be restored, because something else has its name or its place now. - `restore_parent_deleted` (409): What was deleted cannot be restored before what it belongs to. - `section_has_laboratory` (409): The section has a laboratory already. - `session_in_use` (409): An exam session has unfinished attempts, so neither it nor its class can be deleted. - `session_not_paused` (409): The exam session is not paused. - `session_not_running` (409): The exam session is not open, or it is paused. - `session_paused` (409): The exam session is paused, so nobody can start, and no break can begin. - `slug_taken` (409): Another resource of this kind has the slug. - `task_locked` (409): The task opens when the one before it has passed. - `too_long_to_sort` (409): The list has too many rows to be sorted by the field; a filter or the usual order is needed. - `too_many_announcements` (409): The class, or the service for everybody, has as many announcements as there can be; one must be deleted first. - `too_many_exam_sessions` (409): The class, or the instructor for chosen students, has as many exam sessions as it can have; one must be deleted first. - `too_many_grade_columns` (409): The grade book has as many columns as it can have; one must be deleted first. - `too_many_join_codes` (409): The class has as many join codes as it can have; one must be withdrawn first. - `too_many_laboratories` (409): The caller has too many active laboratories; one must be submitted or abandoned first. - `too_many_notes` (409): The caller has as many notes and bookmarks as a user can have; one must be deleted first. - `too_many_sandboxes` (409): The caller has as many sandboxes as a user can have; one must be deleted first. - `too_many_session_supervisors` (409): The exam session has as many supervisors as it can have. - `too_many_session_users` (409): The exam session has as many chosen students as it can have. - `too_many_tasks` (409): The exam or laboratory has as many tasks as it can have. - `template_gone` (409): The template of the sandbox does not exist any more, or is not for the caller. - `terminal_held` (409): The clock of the attempt is stopped, so no files can be transferred to or from its machine. - `trial_failed` (409): The exam or laboratory is not published, because the trial of its checks failed. - `values_above_maximum` (409): A value of a column of the grade book would be above the maximum of the column. - `body_too_large` (413): The request body is too large. - `file_too_large` (413): The uploaded file has too many bytes. - `picture_too_large` (413): The uploaded picture has too many pixels. - `not_a_picture` (415): The uploaded file is not a PNG, JPEG, WebP or GIF picture. - `unsupported_media_type` (415): The request body has a content type that is not read here. - `validation` (422): The request does not fit its schema; `detail` lists what is wrong, field by field. - `upgrade_required` (426): The path takes WebSocket connections only. - `too_many_logins` (429): Too many logins failed, or run at once; `Retry-After` says when to try again. - `too_many_registration_codes` (429): Too many wrong registration codes were tried; `Retry-After` says when to try again. - `too_many_registrations` (429): Too many accounts were registered from this network; `Retry-After` says when to try again. - `too_many_requests` (429): The caller sends too many requests; `Retry-After` says when to try again. - `too_many_wrong_access_codes` (429): Too many wrong access codes were tried; `Retry-After` says when to try again. - `too_many_wrong_invitations` (429): Too many wrong invitations were tried; `Retry-After` says when to try again. - `too_many_wrong_join_codes` (429): Too many wrong join codes were tried; `Retry-After` says when to try again. - `headers_too_large` (431): The headers of the request are too large. - `internal` (500): The service failed unexpectedly; its log has the cause. - `cancelled` (503): The attempt or container was cancelled while its container was being created. - `database_unavailable` (503): The database cannot be reached. - `engine_unavailable` (503): The container engine cannot be reached or failed. - `grading_failed` (503): Grading failed part-way; nothing is lost and the attempt can be submitted again. - `image_missing` (503): The container engine does not have the image. - `lessons_unavailable` (503): The lessons repository cannot be reached or read. - `no_capacity` (503): All containers that the service can run are in use. - `overloaded` (503): The service has too much to do right now. - `queue_full` (503): Too many attempts wait for a container. - `reset_failed` (503): The sandbox was deleted to be reset, but the new one could not be created. - `stopping` (503): The service is stopping. - `setup_failed` (503): The set-up of the exam or laboratory failed, and no attempt is used up; the log has the cause. - `storage_unavailable` (503): Pictures or recordings cannot be read or written now. - `trial_interrupted` (503): The trial of the checks did not run to its end. - `unavailable` (503): The service cannot do this now. */
        ErrorCode: "admin_required" | "already_member" | "attempt_active" | "attempt_grading" | "attempt_lost" | "attempt_not_extendable" | "attempt_not_in_progress" | "attempt_not_regradable" | "attempt_queued" | "bad_request" | "body_too_large" | "cancelled" | "catalogue_full" | "changed_meanwhile" | "class_archived" | "closed" | "column_name_taken" | "conflict" | "container_creating" | "container_not_running" | "container_of_attempt" | "database_unavailable" | "email_taken" | "engine_unavailable" | "exam_locked_down" | "file_denied" | "file_exists" | "file_not_found" | "file_not_stored" | "file_too_large" | "files_full" | "forbidden" | "grading_failed" | "headers_too_large" | "home_too_large" | "image_missing" | "import_not_running" | "import_running" | "instructor_required" | "internal" | "last_administrator" | "last_class_instructor" | "last_session_supervisor" | "lesson_file_in_use" | "lesson_file_not_found" | "lesson_file_too_large" | "lessons_unavailable" | "login_locked" | "machine_file_too_large" | "member_has_password" | "member_in_exam" | "method_not_allowed" | "no_active_attempt" | "no_attempts_left" | "no_break_left" | "no_capacity" | "no_tasks" | "not_a_file" | "not_a_picture" | "not_found" | "not_on_break" | "not_open_yet" | "overloaded" | "path_conflict" | "picture_too_large" | "publish_required" | "queue_full" | "registration_closed" | "registration_code_missing" | "registration_domain" | "repository_in_use" | "request_timeout" | "reset_failed" | "restore_conflict" | "restore_parent_deleted" | "sandbox_disk_full" | "section_has_laboratory" | "session_in_use" | "session_not_paused" | "session_not_running" | "session_paused" | "setup_failed" | "slug_taken" | "stopping" | "storage_unavailable" | "task_locked" | "template_gone" | "terminal_held" | "too_long_to_sort" | "too_many_announcements" | "too_many_exam_sessions" | "too_many_grade_columns" | "too_many_join_codes" | "too_many_laboratories" | "too_many_logins" | "too_many_notes" | "too_many_registration_codes" | "too_many_registrations" | "too_many_requests" | "too_many_sandboxes" | "too_many_session_supervisors" | "too_many_session_users" | "too_many_tasks" | "too_many_wrong_access_codes" | "too_many_wrong_invitations" | "too_many_wrong_join_codes" | "trial_failed" | "trial_interrupted" | "unauthorized" | "unavailable" | "unknown_code" | "unsupported_media_type" | "upgrade_required" | "username_taken" | "validation" | "values_above_maximum" | "wrong_access_code" | "wrong_credentials" | "wrong_invitation" | "wrong_network" | "wrong_password" | "wrong_registration_code";
        ErrorItem: {
            /** The index of the item in `detail`. */
            index: number;
            /** The stable code of the problem; /api/docs/errors lists these codes. */
            code: string;
            params?: { [key: string]: string | number; };
        };
        Exam: {
            id: number;
            slug: string | null;
            title: string;
            description: string;
            /** The text at the beginning, in Markdown. */
            introduction: string;
            /** The text at the end. For instructors and administrators only; students get it with their results. */
            conclusion?: string;
            container_image: string;
            /** The account of students in the container. */
            user: "student" | "root";
            /** In points. */
            passing_score: number;
            is_active: boolean;
            setup_script?: string | null;
            created_at: string;
            task_count: number;
            max_score: number;
            time_limit_minutes: number;
            course_id: number | null;
            order_index: number;
            /** It starts for nobody outside of exam sessions. */
            is_session_only: boolean;
            tasks: components["schemas"]["ExamTask"][];
        };
        ExamAttempt: {
            exam_id: number | null;
            session_id: number | null;
            /** Its clock has been stopped since then. `expires_at` moves when the session is resumed, or the break ends. */
            paused_at: string | null;
            /** When the break ends that began at `paused_at`. While the session is paused, it moves with the time. Null: the student is not on a break. */
            break_ends_at: string | null;
            /** Whether an instructor or administrator ended it before its time: while it was in progress, and it is graded as it was at `submitted_at`, or in the queue. */
            is_ended_by_staff: boolean;
            id: number;
            user_id: number;
            title: string;
            container_id: number | null;
            container_name: string;
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            max_score: number;
            passing_score: number;
            passed: boolean | null;
            grading_error: string | null;
            /** Why the grading failed, or why the attempt ended without a result; /api/docs/errors lists the codes. Null for some older errors as well. */
            grading_error_code: "container_full" | "container_lost" | "container_not_created" | "container_replaced" | "container_stopped" | "container_unreachable" | "engine_unavailable" | "grading_failed" | "grading_interrupted" | "restored_from_backup" | null;
        };
        ExamCandidate: { user_id: number; username: string; full_name: string | null; email: string; };
        ExamChanges: {
            fields?: components["schemas"]["ChangedExam"];
            tasks?: components["schemas"]["ChangedExamTask"][];
            /** They are appended. In the report the first one has the `task_id` -1, the next one -2. */
            new_tasks?: components["schemas"]["NewExamTask"][];
        };
        ExamEntry: { session_id?: number; access_code?: string; };
        ExamFields: {
            title?: string;
            description?: string;
            /** Markdown, shown before the start and during an attempt. */
            introduction?: string;
            /** Markdown, shown with the results of an attempt that has ended. */
            conclusion?: string;
            container_image?: string;
            /** The account of students in the container; default `student`. 422: the image does not grant root. */
            user?: "student" | "root";
            /** In points. */
            passing_score?: number;
            /** False: a draft, which students do not see. */
            is_active?: boolean;
            setup_script?: string | null;
            time_limit_minutes?: number;
            course_id?: number | null;
            order_index?: number;
            /** It starts for nobody outside of exam sessions, and students see the texts of its tasks from their start on. It becomes true when an administrator plans its first session. */
            is_session_only?: boolean;
        };
        ExamForecast: {
            /** Of the class, or chosen ones. Each can need a container. */
            students: number;
            /** Further students in other exam sessions that are open during that time. */
            others: number;
            /** Containers that the service runs at once. */
            capacity: number;
        };
        ExamGradeBook: {
            exam: components["schemas"]["GradedSubject"];
            tasks: components["schemas"]["GradedTask"][];
            students: components["schemas"]["GradedStudent"][];
        };
        /** A message of an instructor. */
        ExamMessage: { id: number; text: string; created_at: string; };
        ExamPublication: {
            fields?: components["schemas"]["ChangedExam"];
            tasks?: components["schemas"]["ChangedExamTask"][];
            /** They are appended. In the report the first one has the `task_id` -1, the next one -2. */
            new_tasks?: components["schemas"]["NewExamTask"][];
        };
        ExamResults: {
            exam_id: number | null;
            session_id: number | null;
            /** Its clock has been stopped since then. `expires_at` moves when the session is resumed, or the break ends. */
            paused_at: string | null;
            /** When the break ends that began at `paused_at`. While the session is paused, it moves with the time. Null: the student is not on a break. */
            break_ends_at: string | null;
            /** Whether an instructor or administrator ended it before its time: while it was in progress, and it is graded as it was at `submitted_at`, or in the queue. */
            is_ended_by_staff: boolean;
            ended_by: string | null;
            break_seconds_left: number | null;
            /** While the attempt is in progress, the newest last. */
            messages: components["schemas"]["ExamMessage"][];
            id: number;
            user_id: number;
            title: string;
            container_id: number | null;
            container_name: string;
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            max_score: number;
            passing_score: number;
            passed: boolean | null;
            grading_error: string | null;
            /** Why the grading failed, or why the attempt ended without a result; /api/docs/errors lists the codes. Null for some older errors as well. */
            grading_error_code: "container_full" | "container_lost" | "container_not_created" | "container_replaced" | "container_stopped" | "container_unreachable" | "engine_unavailable" | "grading_failed" | "grading_interrupted" | "restored_from_backup" | null;
            /** The place in the queue of starts; 1 is the next. */
            position?: number;
            /** Until the start: derived from recent starts, or from the deadlines of running attempts if all containers are in use. */
            estimated_seconds?: number;
            integrity?: string[] | null;
            /** Tasks graded since the submission: the progress of the grading. */
            graded_count: number;
            conclusion?: string | null;
            /** Students receive the results of an exam when the attempt is `finished` or `expired`, and when its session shows them. Until then the list is empty, and `score` and `passed` are null. */
            results: components["schemas"]["TaskResult"][];
        };
        ExamRoom: { session: components["schemas"]["ExamRoomSession"]; students: components["schemas"]["ExamRoomStudent"][]; };
        ExamRoomChange: { session?: components["schemas"]["ExamRoomSession"]; students: components["schemas"]["ExamRoomStudent"][]; gone: number[]; };
        ExamRoomSession: {
            id: number;
            exam_id: number;
            exam_title: string;
            class_id: number | null;
            class_name: string | null;
            chosen_students: number | null;
            title: string;
            /** For a student of the session, the student's own. */
            opens_at: string;
            /** For a student of the session, the student's own. While the session is paused, it moves with the time. */
            closes_at: string;
            results_visible: "at_end" | "after_close" | "when_released" | "never";
            /** During an attempt its student has one login, and no sandboxes and laboratories. */
            is_locked_down: boolean;
            is_paused: boolean;
            is_released: boolean;
            state: "upcoming" | "open" | "closed";
        };
        ExamRoomStudent: {
            user_id: number;
            username: string;
            full_name: string | null;
            status: "not_started" | "queued" | "in_progress" | "grading" | "finished" | "expired" | "abandoned";
            attempt_id: number | null;
            /** Attempts that count towards `max_attempts`. */
            attempts: number;
            started_at: string | null;
            expires_at: string | null;
            submitted_at: string | null;
            /** The clock has been stopped since then. */
            paused_at: string | null;
            /** When the break ends that began at `paused_at`. While the session is paused, it moves with the time. */
            break_ends_at: string | null;
            /** Null for students who supervise: accommodations are not for them. */
            time_factor: number | null;
            /** The exam runs in one login of the student, who cannot log in elsewhere until `unlock`. */
            is_locked: boolean;
            container_id: number | null;
            /** Whether a terminal of the student is open. */
            is_connected: boolean;
            /** When a terminal was last open, or the student last asked for the place in the queue. */
            last_seen_at: string | null;
            /** When the student last typed in a terminal of the attempt, to half a minute. */
            last_input_at: string | null;
            /** `login_refused`: the student has tried to log in elsewhere, which `unlock` allows. `lost`: the container is lost, another one is being prepared. `replaced`: it replaces a lost one. `disk_full`: it was stopped. `integrity`: files of the system were changed. `not_gradable`: the grading failed. */
            warnings: ("login_refused" | "lost" | "replaced" | "disk_full" | "integrity" | "not_gradable")[];
            score: number | null;
            max_score: number | null;
            passed: boolean | null;
        };
        ExamSession: {
            id: number;
            exam_id: number;
            exam_title: string;
            class_id: number | null;
            class_name: string | null;
            chosen_students: number | null;
            title: string;
            /** For a student of the session, the student's own. */
            opens_at: string;
            /** For a student of the session, the student's own. While the session is paused, it moves with the time. */
            closes_at: string;
            time_limit_minutes: number | null;
            max_attempts: number | null;
            counted_attempt: "best" | "last" | "first";
            has_access_code: boolean;
            /** Where attempts can be started from. None: from anywhere. */
            networks: string[];
            results_visible: "at_end" | "after_close" | "when_released" | "never";
            /** Whether students see the output of the checks. */
            is_output_visible: boolean;
            /** During an attempt its student has one login, and no sandboxes and laboratories. */
            is_locked_down: boolean;
            is_paused: boolean;
            is_released: boolean;
            created_at: string;
            state: "upcoming" | "open" | "closed";
            attempts_left: number | null;
            /** The role of the caller in the class or the session. Null if the caller is not a member. */
            my_role: ("student" | "assistant" | "instructor") | null;
        };
        ExamSessionChange: {
            opens_at?: string;
            closes_at?: string;
            title?: string;
            time_limit_minutes?: number | null;
            max_attempts?: number | null;
            counted_attempt?: "best" | "last" | "first";
            access_code?: string | null;
            /** In CIDR notation, IPv4 or IPv6. */
            networks?: string[];
            results_visible?: "at_end" | "after_close" | "when_released" | "never";
            is_output_visible?: boolean;
            /** Of attempts that start from then on. */
            is_locked_down?: boolean;
        };
        ExamTask: {
            id: number;
            title: string;
            description: string | null;
            points: number;
            order_index: number;
            /** For instructors and administrators only. */
            verification_script?: string;
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
            /** True: the exam starts for the caller in exam sessions only, and the text is shown when an attempt of the caller runs or has ended. */
            is_locked?: boolean;
        };
        ExamTaskFields: {
            title?: string;
            description?: string;
            points?: number;
            /** Bash that gives the verdict as `verdict` says. */
            verification_script?: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
            order_index?: number;
        };
        Extension: {
            minutes: number;
            /** Without it: everybody in the session. */
            user_id?: number;
        };
        FirstStep: {
            step: "courses" | "students" | "class" | "images" | "exam_session" | "backup";
            /** `images`: the container engine responds and has every image of the active exams and laboratories. `backup`: `npm run backup` has succeeded. `students` of an instructor: also with a join code. */
            is_done: boolean;
            /** The images that the engine does not have. */
            missing?: string[];
        };
        FoundNames: {
            students: components["schemas"]["ExamCandidate"][];
            problems: {
                /** The place of the name in the request, from 0. */
                index: number;
                problem: "unknown" | "inactive" | "repeated";
            }[];
        };
        Grade: {
            attempts: number;
            attempt_id: number | null;
            score: number | null;
            max_score: number | null;
            passed: boolean | null;
            submitted_at: string | null;
            /** Whether an attempt has begun and not ended. */
            is_active: boolean;
        };
        GradeBook: {
            rules: components["schemas"]["GradeBookRules"];
            /** The exams and laboratories of the courses of the class. */
            subjects: {
                /** Such as `exam-3`, `laboratory-4` or `column-5`. */
                key: string;
                kind: "exam" | "laboratory";
                id: number;
                title: string;
                max_score: number;
                passing_score: number;
                /** A retired exam or laboratory is listed if a student has a grade in it. It counts for no total. */
                is_active: boolean;
                weight: number;
                /** Of an exam session only the attempt that counts there takes part. Of equal scores the newest. */
                counted_attempt: "best" | "last" | "first";
            }[];
            /** Columns with typed values. */
            columns: {
                /** Such as `exam-3`, `laboratory-4` or `column-5`. */
                key: string;
                id: number;
                name: string;
                max_score: number;
                weight: number;
            }[];
        };
        GradeBookChange: {
            missing?: "zero" | "ignored";
            drop_lowest?: number;
            passing_percent?: number | null;
            is_visible?: boolean;
            /** Those that change. */
            subjects?: {
                kind: "exam" | "laboratory";
                id: number;
                /** With 0 it counts for no percentage. */
                weight?: number;
                counted_attempt?: "best" | "last" | "first";
            }[];
        };
        GradeBookRules: {
            /** How a missing grade counts for the percentage: as zero, or not at all. */
            missing: "zero" | "ignored";
            /** The number of a student's lowest grades that do not count. */
            drop_lowest: number;
            passing_percent: number | null;
            /** Whether students see their own grades. */
            is_visible: boolean;
        };
        GradeColumn: { id: number; name: string; max_score: number; weight: number; };
        GradeColumnChange: {
            /** Unique in the class, in any case. Not `username`, `email` or `full_name`. */
            name?: string;
            max_score?: number;
            /** With 0 it counts for no percentage. */
            weight?: number;
        };
        GradeStatistics: {
            key: string;
            title: string | null;
            /** Of the class. */
            students: number;
            /** Students with a grade. The next figures are percentages of theirs. */
            count: number;
            mean: number | null;
            median: number | null;
            deviation: number | null;
            lowest: number | null;
            highest: number | null;
            /** Students by percentage. A bin includes `from`, the last one also 100. */
            bins: { from: number; to: number; count: number; }[];
            minutes: number | null;
            /** Empty for the total and for columns. */
            tasks: {
                task_id: number;
                title: string;
                points: number;
                /** Counted attempts with a result of the task. */
                count: number;
                solved: number;
                /** The mean part of the points, from 0 to 1; 1 is the easiest. */
                difficulty: number;
                discrimination: number | null;
                correlation: number | null;
                minutes: number | null;
            }[];
        };
        GradeValue: { value: number | null; };
        GradedStudent: {
            user_id: number;
            username: string;
            full_name: string | null;
            email: string;
            /** The number of attempts. */
            attempts: number;
            /** The attempt that counts. The following fields are those of this attempt. */
            attempt_id: number;
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            started_at: string;
            submitted_at: string | null;
            score: number | null;
            max_score: number;
            passed: boolean | null;
            /** One for each of `tasks`, in their order; null where the task was not graded. */
            results: ({ passed: boolean; points_earned: number; } | null)[];
        };
        GradedSubject: { id: number; title: string; max_score: number; passing_score: number; is_active: boolean; };
        GradedTask: {
            task_id: number;
            title: string;
            points: number;
            /** The task was deleted and has results. */
            is_deleted: boolean;
        };
        /** `repository_id` is null for the default repository. */
        HostKeyAcceptance: {
            /** Identifies the repository with the lessons: a positive 32-bit integer. Null: the one of the settings of the service. */
            repository_id: number | null;
            /** Of the key that the server has now, `sent` in `error_params` of `host_key_replaced`. */
            fingerprint: string;
        };
        ImportCheck: {
            encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1251" | "windows-1252";
            separator: "comma" | "semicolon" | "tab";
            has_header: boolean;
            columns: { name: string | null; example: string | null; field: string | null; }[];
            /** What a column can be taken for. */
            fields: {
                key: string;
                title: string | null;
                /** Whether several columns can be this field. */
                is_repeatable: boolean;
            }[];
            /** Below the header. */
            lines: number;
            /** What the import would do: `created` (users), `invited` (users without a password), `known` (users who exist), `values`. */
            outcomes: { [key: string]: number; };
            /** The first 500 problems of all lines. */
            problems: components["schemas"]["ImportProblem"][];
            problem_count: number;
            /** Lines of a roster that are no people: the `points` of a Canvas export, its `test_student`, and lines without a name or an id (`no_person`). */
            left_out: components["schemas"]["LeftOutLine"][];
            usernames: components["schemas"]["ImportedUsernames"] | null;
        };
        ImportProblem: {
            /** Of the file, from 1. */
            line: number;
            column: string | null;
            /** /api/docs/errors lists them. */
            code: string;
            params: { [key: string]: string | number; };
            /** In English. */
            detail: string;
        };
        ImportedGrades: {
            lines: number;
            /** Values that are others than before. */
            changed: number;
        };
        ImportedMember: {
            /** Of the file, from 1, the header. */
            line: number;
            outcome: "created" | "added" | "already_member";
            user_id: number;
            username: string;
            full_name: string | null;
            email: string | null;
            role: "student" | "assistant" | "instructor";
            password: string | null;
            /** The code with which the user of a new account sets a password. It is shown only this once. */
            invitation?: string;
        };
        ImportedUser: {
            id: number;
            username: string;
            email: string;
            role: "student" | "instructor" | "admin";
            full_name: string | null;
            avatar_url: string | null;
            is_active: boolean;
            created_at: string;
            last_login_at: string | null;
            password: string | null;
        };
        /** Where the usernames of new accounts come from. */
        ImportedUsernames: { source: "file" | "local_part" | "address"; examples: string[]; };
        InstructorOverview: {
            /** Whether the caller is instructor or assistant of a class. */
            has_classes: boolean;
            /** The latest first. */
            stuck: components["schemas"]["StuckStudent"][];
            /** Of all, also of those who are not in the list. */
            stuck_count: number;
            /** Closed exam sessions whose results students see when they are released. */
            results_to_release: {
                id: number;
                title: string;
                exam_title: string;
                class_id: number | null;
                class_name: string | null;
                closes_at: string;
                /** That ended. */
                attempts: number;
            }[];
            /** Running attempts that could not be graded. */
            failed_gradings: { attempt_id: number; kind: "exam" | "laboratory"; title: string; username: string; full_name: string | null; }[];
            /** Exams and laboratories whose last trial found problems; for administrators. */
            failed_trials: { kind: "exam" | "laboratory"; id: number; title: string; tried_at: string; }[];
            open_sessions: {
                id: number;
                title: string;
                exam_title: string;
                class_id: number | null;
                class_name: string | null;
                closes_at: string;
                is_paused: boolean;
                /** Of the class, or chosen ones. */
                students: number;
                /** Students with an attempt that runs or is queued. */
                working: number;
                /** Students with an attempt that ended. */
                done: number;
            }[];
            /** Of the next 14 days. */
            upcoming_sessions: { id: number; title: string; exam_title: string; class_id: number | null; class_name: string | null; opens_at: string; }[];
            running: {
                /** Running exam attempts. */
                exams: number;
                /** Running laboratory attempts. */
                laboratories: number;
                /** Attempts that wait for a container. */
                queued: number;
                /** Students whose clock is stopped during a break. */
                on_break: number;
                /** Running containers of students. */
                containers: number;
                /** Those of them with an open terminal. */
                terminals: number;
            };
        };
        Invitation: {
            /** Of the user. */
            id: number;
            username: string;
            email: string;
            full_name: string | null;
            /** It is shown only this once. */
            code: string;
            expires_at: string;
        };
        InvitationUse: {
            /** Case, spaces and hyphens are ignored. */
            code: string;
            password?: string | null;
        };
        Invited: { username: string; email: string; full_name: string | null; };
        Join: {
            /** Case, spaces and hyphens are ignored. */
            code: string;
        };
        JoinCode: {
            id: number;
            code: string;
            expires_at: string | null;
            max_uses: number | null;
            uses: number;
            email_domain: string | null;
            created_at: string;
        };
        Laboratory: {
            id: number;
            slug: string | null;
            title: string;
            description: string;
            /** The text at the beginning, in Markdown. */
            introduction: string;
            /** The text at the end. For instructors and administrators only; students get it with their results. */
            conclusion?: string;
            container_image: string;
            /** The account of students in the container. */
            user: "student" | "root";
            /** In points. */
            passing_score: number;
            is_active: boolean;
            setup_script?: string | null;
            created_at: string;
            task_count: number;
            max_score: number;
            time_limit_minutes: number | null;
            section_id: number | null;
            /** The tasks open one after another. */
            is_sequential: boolean;
            tasks: components["schemas"]["LaboratoryTask"][];
        };
        LaboratoryAttempt: {
            laboratory_id: number | null;
            id: number;
            user_id: number;
            title: string;
            container_id: number | null;
            container_name: string;
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            max_score: number;
            passing_score: number;
            passed: boolean | null;
            grading_error: string | null;
            /** Why the grading failed, or why the attempt ended without a result; /api/docs/errors lists the codes. Null for some older errors as well. */
            grading_error_code: "container_full" | "container_lost" | "container_not_created" | "container_replaced" | "container_stopped" | "container_unreachable" | "engine_unavailable" | "grading_failed" | "grading_interrupted" | "restored_from_backup" | null;
        };
        LaboratoryChanges: {
            fields?: components["schemas"]["ChangedLaboratory"];
            tasks?: components["schemas"]["ChangedLaboratoryTask"][];
            /** They are appended. In the report the first one has the `task_id` -1, the next one -2. */
            new_tasks?: components["schemas"]["NewLaboratoryTask"][];
        };
        LaboratoryDeadline: {
            class_id: number;
            class_name: string;
            laboratory_id: number;
            /** Of the laboratory. */
            title: string;
            due_at: string;
            /** When the caller passed the laboratory for the first time. */
            passed_at: string | null;
        };
        LaboratoryDeadlineBody: { due_at: string; };
        LaboratoryFields: {
            title?: string;
            description?: string;
            /** Markdown, shown before the start and during an attempt. */
            introduction?: string;
            /** Markdown, shown with the results of an attempt that has ended. */
            conclusion?: string;
            container_image?: string;
            /** The account of students in the container; default `student`. 422: the image does not grant root. */
            user?: "student" | "root";
            /** In points. */
            passing_score?: number;
            /** False: a draft, which students do not see. */
            is_active?: boolean;
            setup_script?: string | null;
            time_limit_minutes?: number | null;
            section_id?: number | null;
            /** The tasks open one after another: each when the one before has passed. */
            is_sequential?: boolean;
        };
        LaboratoryGradeBook: {
            laboratory: components["schemas"]["GradedSubject"];
            tasks: components["schemas"]["GradedTask"][];
            students: components["schemas"]["GradedStudent"][];
        };
        LaboratoryPublication: {
            fields?: components["schemas"]["ChangedLaboratory"];
            tasks?: components["schemas"]["ChangedLaboratoryTask"][];
            /** They are appended. In the report the first one has the `task_id` -1, the next one -2. */
            new_tasks?: components["schemas"]["NewLaboratoryTask"][];
        };
        LaboratoryResults: {
            laboratory_id: number | null;
            id: number;
            user_id: number;
            title: string;
            container_id: number | null;
            container_name: string;
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            max_score: number;
            passing_score: number;
            passed: boolean | null;
            grading_error: string | null;
            /** Why the grading failed, or why the attempt ended without a result; /api/docs/errors lists the codes. Null for some older errors as well. */
            grading_error_code: "container_full" | "container_lost" | "container_not_created" | "container_replaced" | "container_stopped" | "container_unreachable" | "engine_unavailable" | "grading_failed" | "grading_interrupted" | "restored_from_backup" | null;
            /** The place in the queue of starts; 1 is the next. */
            position?: number;
            /** Until the start: derived from recent starts, or from the deadlines of running attempts if all containers are in use. */
            estimated_seconds?: number;
            integrity?: string[] | null;
            /** Tasks graded since the submission: the progress of the grading. */
            graded_count: number;
            conclusion?: string | null;
            /** Students receive the results of an exam when the attempt is `finished` or `expired`, and when its session shows them. Until then the list is empty, and `score` and `passed` are null. */
            results: components["schemas"]["TaskResult"][];
        };
        LaboratoryTask: {
            id: number;
            title: string;
            description: string;
            points: number;
            order_index: number;
            /** For instructors and administrators only. */
            verification_script?: string;
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
            hint: string;
            /** True: the task opens when the one before has passed. Its description and hint are empty. */
            is_locked?: boolean;
        };
        LaboratoryTaskFields: {
            title?: string;
            description?: string;
            points?: number;
            /** Bash that gives the verdict as `verdict` says. */
            verification_script?: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
            order_index?: number;
            hint?: string;
        };
        LeftOutLine: { line: number; name: string; reason: "points" | "test_student" | "no_person"; };
        LessonFile: { path: string; lessons: components["schemas"]["LessonOfFile"][]; };
        LessonOfFile: { theme_id: number; title: string; course: string; };
        LessonRepository: {
            id: number | null;
            /** The lessons repository of the service, which its configuration names. Its `id` is null. */
            is_default: boolean;
            name: string;
            url: string | null;
            branch: string | null;
            username: string | null;
            has_key: boolean;
            commit: string | null;
            updated_at: string | null;
            error: string | null;
            error_code: string | null;
            error_params: { [key: string]: string; } | null;
            failed_at: string | null;
            courses: { id: number; name: string; }[];
        };
        LessonRepositoryChanges: {
            name?: string;
            /** Of a Git repository: `https://…`, `ssh://…` or `user@host:path`, without a password. */
            url?: string;
            branch?: string | null;
            username?: string | null;
            key?: string | null;
        };
        LessonRepositoryFields: {
            name: string;
            /** Of a Git repository: `https://…`, `ssh://…` or `user@host:path`, without a password. */
            url: string;
            branch?: string | null;
            username?: string | null;
            key?: string | null;
        };
        LessonRepositoryTest: {
            is_reachable: boolean;
            commit: string | null;
            reason: string | null;
            reason_code: string | null;
            reason_params: { [key: string]: string; } | null;
        };
        Login: {
            /** The username or the e-mail address. */
            username: string;
            password: string;
            /** For the pages: also set a cookie, which `POST /api/auth/refresh` takes in place of a token. Refused for requests of other origins. */
            has_cookie?: boolean;
        };
        Member: {
            user_id: number;
            username: string;
            full_name: string | null;
            email: string | null;
            role: "student" | "assistant" | "instructor";
            joined_at: string;
        };
        MemberChange: { role: "student" | "assistant" | "instructor"; };
        MissingFile: { theme_id: number; course_id: number; markdown_file_path: string; };
        NameList: { names: string[]; };
        NewAnnouncement: {
            class_id?: number | null;
            title: string;
            /** Markdown, as in lessons. */
            text?: string;
            /** Nobody else sees it earlier. Without it: now. */
            shows_from?: string;
            shows_until?: string | null;
        };
        NewChosenStudents: {
            /** Of students whom the caller can choose; at most `EXAM_SESSION_USERS_MAX`. */
            user_ids: number[];
        };
        NewClass: {
            name: string;
            description?: string;
            /** An archived class gets no members and no join codes. */
            is_archived?: boolean;
            /** Replaces the courses of the class. */
            course_ids?: number[];
        };
        NewExamMessage: {
            text: string;
            /** Without it: everybody in the session. */
            user_id?: number;
        };
        NewExamSession: {
            exam_id: number;
            /** Either `class_id` or `user_ids` is required. */
            class_id?: number;
            /** Of students whom the caller can choose; at most `EXAM_SESSION_USERS_MAX`. */
            user_ids?: number[];
            opens_at: string;
            closes_at: string;
            title?: string;
            time_limit_minutes?: number | null;
            max_attempts?: number | null;
            counted_attempt?: "best" | "last" | "first";
            access_code?: string | null;
            /** In CIDR notation, IPv4 or IPv6. */
            networks?: string[];
            results_visible?: "at_end" | "after_close" | "when_released" | "never";
            is_output_visible?: boolean;
            /** Of attempts that start from then on. */
            is_locked_down?: boolean;
        };
        NewExamTask: {
            title: string;
            description?: string;
            points: number;
            /** Bash that gives the verdict as `verdict` says. */
            verification_script: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
        };
        NewGradeColumn: {
            /** Unique in the class, in any case. Not `username`, `email` or `full_name`. */
            name: string;
            max_score: number;
            /** With 0 it counts for no percentage. */
            weight?: number;
        };
        NewJoinCode: { expires_at?: string | null; max_uses?: number | null; email_domain?: string | null; };
        NewLaboratoryTask: {
            title: string;
            description?: string;
            points: number;
            /** Bash that gives the verdict as `verdict` says. */
            verification_script: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
            hint?: string;
        };
        NewMember: {
            user_id?: number;
            /** A username or an e-mail address. */
            username?: string;
            role?: "student" | "assistant" | "instructor";
        };
        NewNote: {
            theme_id: number;
            heading?: string;
            excerpt: string;
            /** Empty for a bookmark. */
            text?: string;
        };
        NewRegistrationCode: { note?: string | null; expires_at?: string | null; max_uses?: number | null; };
        NewSandbox: { template_id?: number | null; };
        NewSupervisor: {
            user_id?: number;
            /** A username or an e-mail address. */
            username?: string;
        };
        NewUser: {
            /** 2 to 64 letters of any script, digits and `_ . - + '`, unique without regard to case, stored in Unicode's form NFKC; or the whole e-mail address of the account. */
            username?: string;
            email?: string;
            /** 8 characters to 72 bytes (bcrypt reads no more). */
            password?: string;
            full_name?: string | null;
            role?: "student" | "instructor" | "admin";
        };
        Note: {
            id: number;
            theme_id: number;
            theme_title: string | null;
            /** The id of the heading above the paragraph; empty above the first one. */
            heading: string;
            /** The beginning of the paragraph. */
            excerpt: string;
            /** Empty for a bookmark. */
            text: string;
            created_at: string;
            updated_at: string;
        };
        NoteChanges: {
            /** Empty for a bookmark. */
            text: string;
        };
        /** `exam_opens`: an exam session is open. `time_left`: the time of an attempt is nearly over. `more_time`: it was extended. `results`: the results of an attempt can be seen. `deadline`: a laboratory is due soon. `announcement`: an unread announcement. `supervision`: the caller was added to an exam session as a supervisor. */
        Notification: {
            /** Identifies it among the caller's. A second one of the same replaces the first. */
            key: string;
            kind: "exam_opens" | "time_left" | "more_time" | "results" | "deadline" | "announcement" | "supervision";
            /** Of the exam session, the attempt, the laboratory or the announcement. */
            title: string;
            class_name: string | null;
            exam_id: number | null;
            laboratory_id: number | null;
            attempt_id: number | null;
            class_id: number | null;
            announcement_id: number | null;
            session_id: number | null;
            minutes: number | null;
            /** When the exam session closes, the time of the attempt is over, or the laboratory is due. */
            until: string | null;
            created_at: string;
            is_read: boolean;
        };
        /** Whether the caller gets notifications of each kind. */
        NotificationSettings: {
            exam_opens: boolean;
            time_left: boolean;
            more_time: boolean;
            results: boolean;
            deadline: boolean;
            announcement: boolean;
            supervision: boolean;
        };
        NotificationSettingsChange: {
            exam_opens?: boolean;
            time_left?: boolean;
            more_time?: boolean;
            results?: boolean;
            deadline?: boolean;
            announcement?: boolean;
            supervision?: boolean;
        };
        OpenCourse: {
            id: number;
            name: string;
            description: string;
            icon: string;
            theme_count: number;
            laboratory_count: number;
            exam_count: number;
            /** The sum of those of its themes. */
            duration_minutes: number;
            sections: { id: number; name: string; has_laboratory: boolean; themes: { title: string; duration_minutes: number; }[]; }[];
        };
        OpponentRun: {
            opponent: "kills" | "stops" | "replaces" | "reads" | "empty" | "traces";
            passed: boolean;
            output: string;
            remark: string | null;
            remark_codes: components["schemas"]["Remark"][] | null;
        };
        /** `kept`: an administrator has changed the fields, and the repository has other values. `gone`: no longer in the repository. */
        OutlineChange: {
            action: "new" | "changed" | "gone" | "kept";
            kind: "course" | "section" | "theme";
            /** Slugs from the outermost in, such as `course/section/theme`. */
            name: string;
            fields: string[];
        };
        /** As it is after the import. An id is null where the row is new. */
        OutlineCourse: {
            id: number | null;
            slug: string;
            name: string;
            description: string;
            is_active: boolean;
            sections: components["schemas"]["OutlineSection"][];
        };
        OutlineProblem: {
            file: string;
            line: number;
            message: string;
            /** /api/docs/errors lists these codes. */
            code: string;
            params: { [key: string]: string | number; };
        };
        OutlineSection: { id: number | null; slug: string; name: string; themes: components["schemas"]["OutlineTheme"][]; };
        OutlineTheme: { id: number | null; slug: string; title: string; markdown_file_path: string; duration_minutes: number; };
        OwnGrades: {
            rules: components["schemas"]["GradeBookRules"];
            percent: number | null;
            is_passed: boolean | null;
            items: {
                /** Such as `exam-3`, `laboratory-4` or `column-5`. */
                key: string;
                kind: "exam" | "laboratory" | "column";
                title: string;
                weight: number;
                score: number | null;
                max_score: number;
                passed: boolean | null;
                attempt_id: number | null;
                /** There is a result that is not shown yet. It does not count for `percent` until then. */
                is_withheld: boolean;
                is_missing: boolean;
                /** Does not count because it is among the lowest. */
                is_dropped: boolean;
            }[];
        };
        OwnedContainer: {
            id: number;
            name: string;
            user_id: number;
            kind: "sandbox" | "exam" | "laboratory";
            image: string;
            template_id: number | null;
            status: "creating" | "running" | "stopped" | "failed";
            created_at: string;
            started_at: string | null;
            stopped_at: string | null;
            /** Why it was stopped, unless its user did: `idle`: nobody used it; `room`: nobody used it and capacity was needed; `disk`: its disk was full; `exam`: its user takes an exam that allows no sandboxes. */
            stop_reason: "idle" | "room" | "disk" | "exam" | null;
            expires_at: string | null;
            /** When it last replaced a container whose machine was lost; null: never. */
            replaced_at: string | null;
            /** The time of the home folder that it began with then; null: no files were kept. */
            home_kept_at: string | null;
            username: string;
        };
        PasswordChange: {
            old_password: string;
            /** 8 characters to 72 bytes (bcrypt reads no more). */
            new_password: string;
        };
        Profile: {
            id: number;
            username: string;
            email: string;
            role: "student" | "instructor" | "admin";
            full_name: string | null;
            avatar_url: string | null;
            is_active: boolean;
            created_at: string;
            last_login_at: string | null;
            bio: string;
        };
        ProfileChanges: { full_name?: string | null; email?: string; bio?: string; };
        /** The attempt is queued. Request the active attempt until it is `in_progress`, at least once a minute. The clock starts then. */
        QueuedStart: {
            attempt_id: number;
            status: "queued";
            /** The place in the queue of starts; 1 is the next. */
            position: number;
            /** Until the start: derived from recent starts, or from the deadlines of running attempts if all containers are in use. */
            estimated_seconds: number;
        };
        ReadNotifications: {
            /** Without it: all. */
            keys?: string[];
        };
        Recording: {
            id: number;
            attempt_id: number;
            /** The terminal's size at the start. */
            cols: number;
            rows: number;
            started_at: string;
            ended_at: string | null;
            duration_seconds: number | null;
            /** The current size of the file. 0 if it cannot be read. */
            bytes: number;
            /** Output is missing, because it exceeded `RECORDING_MAX_MB` or could not be written. */
            is_truncated: boolean;
        };
        Registration: {
            /** 2 to 64 letters of any script, digits and `_ . - + '`, unique without regard to case, stored in Unicode's form NFKC; or the whole e-mail address of the account. */
            username: string;
            email: string;
            /** 8 characters to 72 bytes (bcrypt reads no more). */
            password: string;
            full_name?: string | null;
            code?: string | null;
        };
        RegistrationCode: { id: number; code: string; note: string | null; expires_at: string | null; max_uses: number | null; uses: number; created_at: string; };
        RegistrationRules: {
            mode: "open" | "domain" | "code" | "closed";
            /** Only with the mode `domain`. */
            domains?: string[];
        };
        Remark: {
            code: "check_timeout" | "check_held" | "check_killed" | "check_gave_up" | "verdict_missing" | "verdict_inexact" | "exit_status" | "exit_status_missing" | "output_cut" | "container_closed" | "task_not_open";
            params: { [key: string]: string | number; };
        };
        RepositoryRefresh: {
            /** The current commit. Null if the repository is empty. */
            commit: string | null;
            has_changed: boolean;
        };
        Restored: {
            kind: "course" | "section" | "theme" | "exam" | "laboratory" | "exam_task" | "laboratory_task" | "sandbox_template" | "registration_code" | "class" | "class_join_code" | "class_grade_column" | "exam_session" | "announcement" | "note";
            entity_id: number;
            title: string;
        };
        RoleChange: { role?: "student" | "instructor" | "admin"; };
        RunningState: {
            id: number;
            /** When it was published, or when the first attempt of it started. */
            recorded_at: string;
            /** Nothing has changed since. */
            is_current: boolean;
            container_image: string;
            /** Attempts that have begun and not ended. */
            attempts: number;
        };
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
            /** Users below this role neither see the template nor create sandboxes from it. */
            minimum_role: "student" | "instructor" | "admin";
        };
        SandboxTemplateFields: {
            name?: string;
            image?: string;
            memory_mb?: number;
            cpus?: number;
            description?: string;
            has_internet?: boolean;
            /** Users below this role neither see the template nor create sandboxes from it. */
            minimum_role?: "student" | "instructor" | "admin";
            order_index?: number;
            slug?: string;
            is_active?: boolean;
        };
        SchoolTimeZone: { school_time_zone: string | null; };
        SearchResult: {
            kind: "lesson" | "laboratory" | "exam" | "note" | "user" | "attempt";
            id: number;
            title: string;
            /** The names around it, such as a course and its section, the outermost first. */
            where: string[];
            /** A part of the text, as plain text in pieces; empty without a text. */
            excerpt: { text: string; is_match: boolean; }[];
            theme_id: number | null;
            /** The id of the heading above a note, or empty. */
            heading: string;
        };
        SearchResults: { results: components["schemas"]["SearchResult"][]; };
        Section: {
            id: number;
            course_id: number;
            name: string;
            slug: string;
            order_index: number;
            is_active: boolean;
            template_id: number | null;
            themes: {
                id: number;
                section_id: number;
                title: string;
                slug: string;
                markdown_file_path: string;
                duration_minutes: number;
                order_index: number;
                template_id: number | null;
                /** Its file is among those that are written in the pages, not in the repository of its course. */
                is_written: boolean;
                is_completed: boolean;
            }[];
        };
        SectionDetails: { id: number; course_id: number; name: string; slug: string; order_index: number; is_active: boolean; template_id: number | null; };
        SectionFields: { name?: string; course_id?: number; template_id?: number | null; order_index?: number; slug?: string; is_active?: boolean; };
        SentExamMessage: { id: number; user_id: number | null; text: string; created_at: string; };
        ServiceStatistics: {
            users: { student: number; instructor: number; admin: number; };
            /** Running containers by kind; `warm` containers wait for an attempt. */
            containers: { sandbox: number; exam: number; laboratory: number; warm: number; };
            attempts: { queued: number; in_progress: number; grading: number; finished: number; abandoned: number; expired: number; };
            /** The newest 50,000 entries, counted by type. */
            activity_last_24_hours: { [key: string]: number; };
        };
        Session: {
            access_token: string;
            token_type: "bearer";
            /** Seconds. */
            expires_in: number;
            user: components["schemas"]["User"];
        };
        SetupFile: {
            id: number;
            task_id: number | null;
            path: string;
            owner: string;
            /** Four octal digits. */
            mode: string;
            bytes: number;
            /** SHA-256 of its content. */
            digest: string;
        };
        SetupFileFields: {
            /** Where it is on the machine: an absolute path. */
            path?: string;
            /** a user of the machine, or `user:group` */
            owner?: string;
            /** three or four octal digits */
            mode?: string;
        };
        /** Why the set-up failed. Then nothing else was tried. */
        SetupProblem: {
            /** The problem in one sentence. */
            problem: string;
            problem_code: "connection_lost" | "file_failed" | "interrupted" | "timeout" | "failed" | "no_root";
            /** Of the script; for `failed`. */
            exit_status?: number;
            /** For all set-up scripts together; for `timeout`. */
            seconds?: number;
            /** The end of its output. */
            output: string;
        };
        Shell: {
            /** The `session` of its WebSocket, for its user and for those who may watch it. */
            id: string;
            begun_at: string;
            /** False: its user has lost the connection and may come back. */
            is_connected: boolean;
        };
        StartedExam: {
            exam_id: number;
            session_id: number | null;
            attempt_id: number;
            container_id: number;
            container_name: string;
            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            started_at: string;
            expires_at: string | null;
        };
        StartedLaboratory: {
            laboratory_id: number;
            attempt_id: number;
            container_id: number;
            container_name: string;
            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            started_at: string;
            expires_at: string | null;
        };
        Statistics: {
            completed_themes: number;
            total_themes: number;
            /** 0 to 100, with one decimal. */
            percent: number;
            /** Exams, not attempts: one that was passed twice counts once. */
            exams_passed: number;
            exams_attempted: number;
            average_score_percent: number | null;
            laboratories_passed: number;
            /** The sum of `duration_minutes` of the completed themes. */
            minutes_learned: number;
            /** Days in a row (UTC), until today or yesterday, on which a theme was completed or an attempt was submitted. */
            current_streak_days: number;
            longest_streak_days: number;
            /** Running, or being created. */
            active_containers: number;
        };
        StuckStudent: {
            user_id: number;
            username: string;
            full_name: string | null;
            kind: "lesson" | "exam" | "laboratory";
            /** Of the exam or the laboratory, or of the theme that is next. */
            id: number;
            title: string;
            class_id: number | null;
            class_name: string | null;
            /** The attempts that did not pass; 0 for a lesson. */
            attempts: number;
            attempt_id: number | null;
            /** When the last lesson was completed, or the last attempt ended. */
            last_at: string;
        };
        StudentAttempt: {
            kind: "exam" | "laboratory";
            laboratory_id: number | null;
            username: string;
            full_name: string | null;
            email: string;
            exam_id: number | null;
            session_id: number | null;
            /** Its clock has been stopped since then. `expires_at` moves when the session is resumed, or the break ends. */
            paused_at: string | null;
            /** When the break ends that began at `paused_at`. While the session is paused, it moves with the time. Null: the student is not on a break. */
            break_ends_at: string | null;
            /** Whether an instructor or administrator ended it before its time: while it was in progress, and it is graded as it was at `submitted_at`, or in the queue. */
            is_ended_by_staff: boolean;
            id: number;
            user_id: number;
            title: string;
            container_id: number | null;
            container_name: string;
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            max_score: number;
            passing_score: number;
            passed: boolean | null;
            grading_error: string | null;
            /** Why the grading failed, or why the attempt ended without a result; /api/docs/errors lists the codes. Null for some older errors as well. */
            grading_error_code: "container_full" | "container_lost" | "container_not_created" | "container_replaced" | "container_stopped" | "container_unreachable" | "engine_unavailable" | "grading_failed" | "grading_interrupted" | "restored_from_backup" | null;
        };
        StudentResults: {
            kind: "exam" | "laboratory";
            laboratory_id: number | null;
            username: string;
            full_name: string | null;
            email: string;
            exam_id: number | null;
            session_id: number | null;
            /** Its clock has been stopped since then. `expires_at` moves when the session is resumed, or the break ends. */
            paused_at: string | null;
            /** When the break ends that began at `paused_at`. While the session is paused, it moves with the time. Null: the student is not on a break. */
            break_ends_at: string | null;
            /** Whether an instructor or administrator ended it before its time: while it was in progress, and it is graded as it was at `submitted_at`, or in the queue. */
            is_ended_by_staff: boolean;
            ended_by: string | null;
            break_seconds_left: number | null;
            /** While the attempt is in progress, the newest last. */
            messages: components["schemas"]["ExamMessage"][];
            id: number;
            user_id: number;
            title: string;
            container_id: number | null;
            container_name: string;
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            max_score: number;
            passing_score: number;
            passed: boolean | null;
            grading_error: string | null;
            /** Why the grading failed, or why the attempt ended without a result; /api/docs/errors lists the codes. Null for some older errors as well. */
            grading_error_code: "container_full" | "container_lost" | "container_not_created" | "container_replaced" | "container_stopped" | "container_unreachable" | "engine_unavailable" | "grading_failed" | "grading_interrupted" | "restored_from_backup" | null;
            /** The place in the queue of starts; 1 is the next. */
            position?: number;
            /** Until the start: derived from recent starts, or from the deadlines of running attempts if all containers are in use. */
            estimated_seconds?: number;
            integrity?: string[] | null;
            /** Tasks graded since the submission: the progress of the grading. */
            graded_count: number;
            conclusion?: string | null;
            /** Students receive the results of an exam when the attempt is `finished` or `expired`, and when its session shows them. Until then the list is empty, and `score` and `passed` are null. */
            results: components["schemas"]["TaskResult"][];
            image_id: string | null;
            state: components["schemas"]["AttemptState"] | null;
        };
        Subject: {
            kind: "exam" | "laboratory";
            id: number;
            title: string;
            is_active: boolean;
            /** The number of students with attempts. */
            students: number;
        };
        SubjectDeleted: { detail: string; outcome: "deleted" | "retired"; };
        Supervisor: { user_id: number; username: string; full_name: string | null; email: string; added_at: string; };
        SystemState: {
            service: {
                version: string;
                node_version: string;
                uptime_seconds: number;
                memory_bytes: number;
                /** Of the service, on this database. */
                processes: number;
            };
            engine: { is_reachable: boolean; problem: string | null; name: string | null; version: string | null; };
            database: { version: string; size_bytes: number; };
            /** The disk of the data folder. */
            disk: { total_bytes: number; free_bytes: number; };
            /** Containers created in advance for exams. */
            warm_pool: { wanted: number; ready: number; };
            /** Gradings. */
            grading: { running: number; waiting: number; };
            /** Containers that are being created. */
            container_starts: { running: number; waiting: number; };
            open_terminals: number;
            /** The 20 networks that had to wait last, within a week. `PEOPLE_PER_ADDRESS` decides when. */
            network_limits: {
                /** An IPv4 /24 or an IPv6 /56. */
                network: string;
                /** `logins`, `registrations`, `registration_codes`, `invitations`, `join_codes` or `requests`. */
                limit_met: string;
                times: number;
                first_at: string;
                last_at: string;
            }[];
        };
        TaskOrder: {
            /** The ids of all tasks, each once. */
            task_ids: number[];
        };
        TaskResult: {
            task_id: number;
            title: string;
            passed: boolean;
            points: number;
            points_earned: number;
            /** The standard output of the check, unchanged, at most its last 64 KiB. NUL and bytes that are not UTF-8 are shown as U+FFFD. */
            output: string;
            remark: string | null;
            remark_codes: components["schemas"]["Remark"][] | null;
            graded_at: string;
        };
        TaskScripts: {
            /** Bash that gives the verdict as `verdict` says. */
            verification_script?: string;
            solution_script?: string | null;
            setup_script?: string | null;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
        };
        TaskTrial: {
            task_id: number;
            title: string;
            /** The check in a new container. It must fail. */
            first: { passed: boolean; output: string; remark: string | null; remark_codes: components["schemas"]["Remark"][] | null; };
            solution: {
                exit_status: number | null;
                /** The end of what it printed in a terminal, as plain text. */
                output: string;
            } | null;
            after: { passed: boolean; output: string; remark: string | null; remark_codes: components["schemas"]["Remark"][] | null; } | null;
            /** The check in a container where nothing is solved, against a student who kills or stops its processes, replaces files while it runs, answers with words from /proc, answers with nothing, or, where the image grants root, traces its processes as root. It must fail. Empty if the check passed at first. */
            opponents: components["schemas"]["OpponentRun"][];
            problem: string | null;
            /** The problem as a stable code for clients. */
            problem_code: "passes_at_first" | "no_verdict" | "no_solution" | "passes_before_solution" | "solution_timeout" | "solution_failed" | "fails_after_solution" | "undone_by_later_tasks" | "forgeable" | null;
        };
        Theme: {
            id: number;
            section_id: number;
            title: string;
            slug: string;
            markdown_file_path: string;
            duration_minutes: number;
            order_index: number;
            template_id: number | null;
            /** Its file is among those that are written in the pages, not in the repository of its course. */
            is_written: boolean;
            is_completed: boolean;
            course_id: number;
            completed_at: string | null;
            previous_theme_id: number | null;
            next_theme_id: number | null;
            /** The sandbox template of the theme, or else of its section, or else of its course. */
            nearest_template_id: number | null;
        };
        ThemeDetails: {
            id: number;
            section_id: number;
            title: string;
            slug: string;
            markdown_file_path: string;
            duration_minutes: number;
            order_index: number;
            template_id: number | null;
            /** Its file is among those that are written in the pages, not in the repository of its course. */
            is_written: boolean;
        };
        ThemeFields: {
            title?: string;
            section_id?: number;
            /** Relative to the root of the lessons repository; no `..`, no leading slash, no backslash. */
            markdown_file_path?: string;
            order_index?: number;
            slug?: string;
            duration_minutes?: number;
            template_id?: number | null;
            /** The file is among those that are written in the pages. Default: false. */
            is_written?: boolean;
        };
        ThemeProgress: { user_id: number; theme_id: number; completed: boolean; completed_at: string | null; };
        TrialReport: {
            is_ok: boolean;
            problem: string | null;
            /** The problem of the whole as a stable code. `no_tasks`: every attempt ends with 0 of 0 points. */
            problem_code: "no_tasks" | null;
            setup: components["schemas"]["SetupProblem"] | null;
            tasks: components["schemas"]["TaskTrial"][];
        };
        UndoDeletion: {
            kind: "course" | "section" | "theme" | "exam" | "laboratory" | "exam_task" | "laboratory_task" | "sandbox_template" | "registration_code" | "class" | "class_join_code" | "class_grade_column" | "exam_session" | "announcement" | "note";
            entity_id: number;
        };
        Unlocking: { user_id: number; };
        UploadedFile: {
            /** Absolute. */
            path: string;
            bytes: number;
        };
        User: {
            id: number;
            username: string;
            email: string;
            role: "student" | "instructor" | "admin";
            full_name: string | null;
            avatar_url: string | null;
            is_active: boolean;
            created_at: string;
            last_login_at: string | null;
        };
        UserChanges: {
            full_name?: string | null;
            email?: string;
            is_active?: boolean;
            /** 8 characters to 72 bytes (bcrypt reads no more). */
            password?: string;
        };
        UserImport: {
            id: number;
            status: "running" | "done" | "cancelled" | "failed";
            /** Users. */
            total: number;
            /** Users whose passwords are hashed, or who need none. */
            done: number;
            /** Users of the import who have not set a password yet. */
            invited: number;
            /** Whether codes were issued for any of those. */
            has_codes: boolean;
            problems: components["schemas"]["ImportProblem"][] | null;
            created_at: string;
            finished_at: string | null;
        };
        /** The request does not match its schema, or breaks a rule that no schema expresses. */
        ValidationError: { detail: { loc: (string | number)[]; msg: string; type: string; }[]; };
        WatchableContainer: {
            id: number;
            name: string;
            user_id: number;
            kind: "sandbox" | "exam" | "laboratory";
            image: string;
            template_id: number | null;
            status: "creating" | "running" | "stopped" | "failed";
            created_at: string;
            started_at: string | null;
            stopped_at: string | null;
            /** Why it was stopped, unless its user did: `idle`: nobody used it; `room`: nobody used it and capacity was needed; `disk`: its disk was full; `exam`: its user takes an exam that allows no sandboxes. */
            stop_reason: "idle" | "room" | "disk" | "exam" | null;
            expires_at: string | null;
            /** When it last replaced a container whose machine was lost; null: never. */
            replaced_at: string | null;
            /** The time of the home folder that it began with then; null: no files were kept. */
            home_kept_at: string | null;
            username: string;
            full_name: string | null;
            email: string;
            attempt_id: number | null;
            title: string | null;
            /** Whether its student has a terminal open, which can be watched. */
            has_terminal: boolean;
        };
        WrittenLesson: {
            id: number;
            path: string;
            /** The newest one. Revisions are counted from 1. */
            revision: number;
            bytes: number;
            changed_at: string;
            is_deleted: boolean;
            /** Whether it is a Markdown file. */
            is_text: boolean;
            /** The lessons that have it. */
            lessons: components["schemas"]["LessonOfFile"][];
        };
        WrittenLessonChange: {
            /** Relative to the root of the files; a text ends with `.md` or `.markdown`. No hidden steps, no `..`. */
            path?: string;
            /** In Markdown. */
            text?: string;
            /** What the revision is about. */
            message?: string;
            /** The revision that the change is of. */
            revision?: number;
        };
        WrittenLessonFields: {
            /** Relative to the root of the files; a text ends with `.md` or `.markdown`. No hidden steps, no `..`. */
            path: string;
            /** In Markdown. */
            text: string;
            /** What the revision is about. */
            message?: string;
        };
        WrittenLessonText: {
            id: number;
            path: string;
            /** The newest one. Revisions are counted from 1. */
            revision: number;
            bytes: number;
            changed_at: string;
            is_deleted: boolean;
            /** Whether it is a Markdown file. */
            is_text: boolean;
            /** The lessons that have it. */
            lessons: components["schemas"]["LessonOfFile"][];
            text: string | null;
        };
        WrittenRevision: {
            revision: number;
            path: string;
            bytes: number;
            /** The file was deleted with it. */
            is_deleted: boolean;
            message: string;
            author_id: number | null;
            author: string | null;
            created_at: string;
        };
        WrittenRevisionText: {
            revision: number;
            path: string;
            bytes: number;
            /** The file was deleted with it. */
            is_deleted: boolean;
            message: string;
            author_id: number | null;
            author: string | null;
            created_at: string;
            text: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
