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
            responses: {
                200: {
                    content: {
                        /** @example # Permissions with chmod `chmod 600 notes.txt` lets the owner read and write the file, and nobody else. */
                        "application/json": string;
                        /** @example # Permissions with chmod `chmod 600 notes.txt` lets the owner read and write the file, and nobody else. */
                        "text/markdown": string;
                        /** @example # Permissions with chmod `chmod 600 notes.txt` lets the owner read and write the file, and nobody else. */
                        "text/plain": string;
                    };
                };
            };
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
        /** Assessments with a grade book: exams, then laboratories, by title */
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
        get: {
            parameters: NoParameters;
            responses: {
                200: Json<{
                    /** The state at the moment of the answer; one of the words listed. */
                    status: "ok";
                }>;
            };
        };
    };
    "/readyz": {
        /** The service is ready: the database answers, and the process was not told to stop */
        get: {
            parameters: NoParameters;
            responses: {
                200: Json<{
                    /** The state at the moment of the answer; one of the words listed. */
                    status: "ok" | "unavailable";
                    /** Whether the database answers. */
                    has_database: boolean;
                    /** Whether the container engine answers. */
                    has_containers: boolean;
                }>;
            };
        };
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
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** By how much the time is multiplied. 1 is the time of everybody. Null: the factor of the class, or none. */
            time_factor: number | null;
            /** When the exam session opens, in UTC. Null: as for everyone. */
            opens_at: string | null;
            /** When the exam session closes, in UTC. Null: as for everyone. */
            closes_at: string | null;
            /** How many attempts a student has, 1 to 1000. Null: any number, or as many as everyone. */
            max_attempts: number | null;
            break_minutes: number | null;
        };
        AccommodationChange: {
            time_factor?: number | null;
            /** When the exam session opens, in UTC. Null: as for everyone. */
            opens_at?: string | null;
            /** When the exam session closes, in UTC. Null: as for everyone. */
            closes_at?: string | null;
            /** How many attempts a student has, 1 to 1000. Null: any number, or as many as everyone. */
            max_attempts?: number | null;
            break_minutes?: number | null;
        };
        Activity: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The kind of the entry, as a stable word. */
            type: "lesson_complete" | "exam_start" | "exam_submit" | "exam_expire" | "exam_abandon" | "laboratory_start" | "laboratory_submit" | "laboratory_expire" | "laboratory_abandon" | "container_create" | "container_delete" | "container_full" | "container_yield" | "container_evict" | "container_replace" | "register";
            /** The title that people read, at most 200 characters. */
            title: string;
            /** What kind of thing the entry is about. Null: about none. */
            entity_type: string | null;
            /** Identifies the thing that it is about: a positive 32-bit integer. Null: about none. */
            entity_id: number | null;
            /** When it was created, in UTC. */
            created_at: string;
        };
        ActivityEntry: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The kind of the entry, as a stable word. */
            type: string;
            /** The title that people read, at most 200 characters. */
            title: string;
            user_id: number | null;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string | null;
            actor_id: number | null;
            /** Who acted, where that is not the user of the entry. Null: the user, or the service itself. */
            actor_username: string | null;
            /** What kind of thing the entry is about. Null: about none. */
            entity_type: string | null;
            /** Identifies the thing that it is about: a positive 32-bit integer. Null: about none. */
            entity_id: number | null;
            details: { [key: string]: unknown; } | null;
            /** When it was created, in UTC. */
            created_at: string;
        };
        AddedTime: {
            /** A time in minutes, 1 to 1440. */
            minutes: number;
        };
        AdministeredCourse: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The name that people read, at most 200 characters. */
            name: string;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description: string;
            /** A keyword for the user interface. Empty: there is none. */
            icon: string;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index: number;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
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
                /** The number of themes completed on that day. */
                themes_completed: number;
                /** The number of attempts handed in on that day. */
                attempts_submitted: number;
            }[];
            /** In the order of the courses. */
            courses: {
                /** Identifies the course: a positive 32-bit integer. Null: it belongs to no course. */
                course_id: number;
                /** The name that people read, at most 200 characters. */
                name: string;
                /** The number of active themes that the student has completed. */
                completed_themes: number;
                /** The number of active themes. */
                total_themes: number;
                /** 0 to 100, with one decimal. */
                percent: number;
            }[];
            /** The attempts submitted on these days, oldest first; at most the newest 500. */
            scores: {
                /** Identifies the attempt: a positive 32-bit integer. Null: there is none. */
                attempt_id: number;
                /** What it is, or belongs to; one of the words listed. */
                kind: "exam" | "laboratory";
                /** Identifies the exam: a positive 32-bit integer. Null: it belongs to no exam, or the exam was deleted. */
                exam_id: number | null;
                /** Identifies the laboratory: a positive 32-bit integer. Null: it belongs to no laboratory, or the laboratory was deleted. */
                laboratory_id: number | null;
                /** The title that people read, at most 200 characters. */
                title: string;
                /** The points that were earned. Null: there is no result, or none that can be shown yet. */
                score: number;
                /** The highest score that is possible. Null: nothing has been begun. */
                max_score: number;
                /** 0 to 100, with one decimal. */
                percent: number;
                /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
                passed: boolean;
                /** When it was handed in, in UTC. Null: it was not. */
                submitted_at: string;
            }[];
        };
        Announcement: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            class_id: number | null;
            /** The name of the class. Null: it belongs to no class. */
            class_name: string | null;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** Markdown, as in lessons. */
            text: string;
            author: string | null;
            /** From when it is shown, in UTC. */
            shows_from: string;
            /** Until when it is shown, in UTC. Null: for ever. */
            shows_until: string | null;
            /** Whether its readers see it now. */
            is_shown: boolean;
            /** By the caller. */
            is_read: boolean;
            /** Whether the caller may change and delete it. */
            may_change: boolean;
            /** When it was created, in UTC. */
            created_at: string;
            /** When it was last changed, in UTC. Null: never. */
            edited_at: string | null;
        };
        AnnouncementChange: {
            /** The title that people read, at most 200 characters. */
            title?: string;
            /** Markdown, as in lessons. */
            text?: string;
            /** From when it is shown, in UTC. */
            shows_from?: string;
            /** Until when it is shown, in UTC. Null: for ever. */
            shows_until?: string | null;
        };
        Attempt: {
            /** What it is, or belongs to; one of the words listed. */
            kind: "exam" | "laboratory";
            /** Identifies the laboratory: a positive 32-bit integer. Null: it belongs to no laboratory, or the laboratory was deleted. */
            laboratory_id: number | null;
            /** Identifies the exam: a positive 32-bit integer. Null: it belongs to no exam, or the exam was deleted. */
            exam_id: number | null;
            session_id: number | null;
            /** Its clock has been stopped since then. `expires_at` moves when the session is resumed, or the break ends. */
            paused_at: string | null;
            /** When the break ends that began at `paused_at`. While the session is paused, it moves with the time. Null: the student is not on a break. */
            break_ends_at: string | null;
            /** Whether an instructor or administrator ended it before its time: while it was in progress, and it is graded as it was at `submitted_at`, or in the queue. */
            is_ended_by_staff: boolean;
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            container_id: number | null;
            /** The name of the container in the engine. */
            container_name: string;
            /** The state at the moment of the answer; one of the words listed. */
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            /** When it was handed in, in UTC. Null: it was not. */
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            /** The points that are needed to pass. */
            passing_score: number;
            /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
            passed: boolean | null;
            /** Why the grading failed, in English. Null: it did not. */
            grading_error: string | null;
            /** Why the grading failed, or why the attempt ended without a result; /api/docs/errors lists the codes. Null for some older errors as well. */
            grading_error_code: "container_full" | "container_lost" | "container_not_created" | "container_replaced" | "container_stopped" | "container_unreachable" | "engine_unavailable" | "grading_failed" | "grading_interrupted" | "restored_from_backup" | null;
        };
        AttemptBreak: {
            /** Identifies the attempt: a positive 32-bit integer. Null: there is none. */
            attempt_id: number;
            /** The time from which it is no longer valid, or no longer runs, in UTC. Null: no such time. */
            expires_at: string | null;
            /** Its clock has been stopped since then. `expires_at` moves when the session is resumed, or the break ends. */
            paused_at: string | null;
            /** When the break ends that began at `paused_at`. While the session is paused, it moves with the time. Null: the student is not on a break. */
            break_ends_at: string | null;
            break_seconds_left: number | null;
        };
        AttemptResults: {
            /** What it is, or belongs to; one of the words listed. */
            kind: "exam" | "laboratory";
            /** Identifies the laboratory: a positive 32-bit integer. Null: it belongs to no laboratory, or the laboratory was deleted. */
            laboratory_id: number | null;
            /** Identifies the exam: a positive 32-bit integer. Null: it belongs to no exam, or the exam was deleted. */
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
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            container_id: number | null;
            /** The name of the container in the engine. */
            container_name: string;
            /** The state at the moment of the answer; one of the words listed. */
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            /** When it was handed in, in UTC. Null: it was not. */
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            /** The points that are needed to pass. */
            passing_score: number;
            /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
            passed: boolean | null;
            /** Why the grading failed, in English. Null: it did not. */
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
            /** The title that people read, at most 200 characters. */
            title: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description: string;
            /** Markdown, shown before the start and during an attempt. */
            introduction: string;
            /** Markdown, shown with the results of an attempt that has ended. */
            conclusion: string;
            /** The image of the containers, as the engine names it; at most 500 characters. */
            container_image: string;
            /** In points. */
            passing_score: number;
            setup_script: string | null;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            /** Whether the tasks open one after another, each when the one before has passed. */
            is_sequential: boolean;
            /** The tasks, in their order. */
            tasks: components["schemas"]["AttemptTask"][];
        };
        AttemptTask: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description: string;
            /** A help for the task in Markdown, at most 100,000 characters. Empty: there is none. */
            hint?: string;
            /** The points for the task, 0 to 10,000. */
            points: number;
            /** Bash that gives the verdict as `verdict` says. */
            verification_script: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict: "pass" | "exit-status" | "ok";
            setup_script: string | null;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index: number;
        };
        AttemptTimeChange: {
            /** The total time from the start. */
            time_limit_minutes?: number;
        };
        /** Fields of the exam. Omitted fields are unchanged. */
        ChangedExam: {
            /** The title that people read, at most 200 characters. */
            title?: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description?: string;
            /** Markdown, shown before the start and during an attempt. */
            introduction?: string;
            /** Markdown, shown with the results of an attempt that has ended. */
            conclusion?: string;
            /** The image of the containers, as the engine names it; at most 500 characters. */
            container_image?: string;
            /** The account of students in the container; default `student`. 422: the image does not grant root. */
            user?: "student" | "root";
            /** In points. */
            passing_score?: number;
            setup_script?: string | null;
            /** The time for an attempt in minutes, 1 to 1440. Null: no limit of its own. */
            time_limit_minutes?: number;
            /** Identifies the course: a positive 32-bit integer. Null: it belongs to no course. */
            course_id?: number | null;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index?: number;
            /** It starts for nobody outside of exam sessions, and students see the texts of its tasks from their start on. It becomes true when an administrator plans its first session. */
            is_session_only?: boolean;
        };
        /** Omitted fields are unchanged. */
        ChangedExamTask: {
            /** The title that people read, at most 200 characters. */
            title?: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description?: string;
            /** The points for the task, 0 to 10,000. */
            points?: number;
            /** Bash that gives the verdict as `verdict` says. */
            verification_script?: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
        };
        /** Fields of the laboratory. Omitted fields are unchanged. */
        ChangedLaboratory: {
            /** The title that people read, at most 200 characters. */
            title?: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description?: string;
            /** Markdown, shown before the start and during an attempt. */
            introduction?: string;
            /** Markdown, shown with the results of an attempt that has ended. */
            conclusion?: string;
            /** The image of the containers, as the engine names it; at most 500 characters. */
            container_image?: string;
            /** The account of students in the container; default `student`. 422: the image does not grant root. */
            user?: "student" | "root";
            /** In points. */
            passing_score?: number;
            setup_script?: string | null;
            time_limit_minutes?: number | null;
            /** Identifies the section: a positive 32-bit integer. Null: it belongs to no section. */
            section_id?: number | null;
            /** The tasks open one after another: each when the one before has passed. */
            is_sequential?: boolean;
        };
        /** Omitted fields are unchanged. */
        ChangedLaboratoryTask: {
            /** The title that people read, at most 200 characters. */
            title?: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description?: string;
            /** The points for the task, 0 to 10,000. */
            points?: number;
            /** Bash that gives the verdict as `verdict` says. */
            verification_script?: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
            /** A help for the task in Markdown, at most 100,000 characters. Empty: there is none. */
            hint?: string;
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
        };
        ChosenForecast: {
            /** Of students whom the caller can choose; at most `EXAM_SESSION_USERS_MAX`. */
            user_ids: number[];
            /** When the exam session opens, in UTC. Null: as for everyone. */
            opens_at: string;
            /** When the exam session closes, in UTC. Null: as for everyone. */
            closes_at: string;
        };
        ChosenStudent: {
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email: string;
            /** When the user was added, in UTC. */
            added_at: string;
            /** In the session. */
            attempts: number;
        };
        Class: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The name that people read, at most 200 characters. */
            name: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description: string;
            /** Whether the class is kept for its results alone. */
            is_archived: boolean;
            /** The courses that are assigned to the class. */
            course_ids: number[];
            /** The number of students and staff of the class. */
            member_count: number;
            /** Whether students see their own grades. */
            is_grade_book_visible: boolean;
            /** The role of the caller in the class. Null if the caller is not a member. */
            my_role: ("student" | "assistant" | "instructor") | null;
            /** When it was created, in UTC. */
            created_at: string;
        };
        /** Where the accommodation of a session has a value, that one holds. */
        ClassAccommodation: {
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** Of the time limit. */
            time_factor: number;
            /** Attempts in addition to those of everyone, 0 to 100. */
            extra_attempts: number;
            break_minutes: number | null;
        };
        ClassAccommodationChange: {
            /** Of the time limit. */
            time_factor?: number;
            /** Attempts in addition to those of everyone, 0 to 100. */
            extra_attempts?: number;
            break_minutes?: number | null;
        };
        ClassChange: {
            /** The name that people read, at most 200 characters. */
            name?: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description?: string;
            /** An archived class gets no members and no join codes. */
            is_archived?: boolean;
            /** Replaces the courses of the class. */
            course_ids?: number[];
        };
        ClassGrades: {
            /** How the percentage is worked out. */
            rules: components["schemas"]["GradeBookRules"];
            /** The exams and laboratories of the courses of the class. */
            subjects: {
                /** Such as `exam-3`, `laboratory-4` or `column-5`. */
                key: string;
                /** What it is, or belongs to; one of the words listed. */
                kind: "exam" | "laboratory";
                /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
                id: number;
                /** The title that people read, at most 200 characters. */
                title: string;
                /** The highest score that is possible. Null: nothing has been begun. */
                max_score: number;
                /** The points that are needed to pass. */
                passing_score: number;
                /** A retired exam or laboratory is listed if a student has a grade in it. It counts for no total. */
                is_active: boolean;
                /** The weight in the percentage, beside those of the others. 0: it does not count. */
                weight: number;
                /** Of an exam session only the attempt that counts there takes part. Of equal scores the newest. */
                counted_attempt: "best" | "last" | "first";
            }[];
            /** Columns with typed values. */
            columns: {
                /** Such as `exam-3`, `laboratory-4` or `column-5`. */
                key: string;
                /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
                id: number;
                /** The name that people read, at most 200 characters. */
                name: string;
                /** The highest score that is possible. Null: nothing has been begun. */
                max_score: number;
                /** The weight in the percentage, beside those of the others. 0: it does not count. */
                weight: number;
            }[];
            /** The maximum of the active ones and of the columns together. */
            max_score: number;
            /** The students, one item for each. */
            students: {
                /** Identifies the user: a positive 32-bit integer. */
                user_id: number;
                /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
                username: string;
                /** The name that people read, at most 200 characters. Null: not given. */
                full_name: string | null;
                /** The e-mail address, at most 254 characters; unique in any case of its letters. */
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
            /** The number of active themes. */
            total_themes: number;
            /** The active exams and laboratories of the active courses of the class. */
            subjects: {
                /** What it is, or belongs to; one of the words listed. */
                kind: "exam" | "laboratory";
                /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
                id: number;
                /** The title that people read, at most 200 characters. */
                title: string;
                /** The highest score that is possible. Null: nothing has been begun. */
                max_score: number;
                /** When a laboratory is due in the class. */
                due_at: string | null;
            }[];
            /** The number of students in each state. */
            counts: {
                /** The number of students who have not begun. */
                not_begun: number;
                /** The number of students who have begun. */
                begun: number;
                /** The number of students who are stuck. */
                stuck: number;
                /** The number of students who have finished. */
                finished: number;
            };
            /** The students, one item for each. */
            students: {
                /** Identifies the user: a positive 32-bit integer. */
                user_id: number;
                /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
                username: string;
                /** The name that people read, at most 200 characters. Null: not given. */
                full_name: string | null;
                /** The e-mail address, at most 254 characters; unique in any case of its letters. */
                email: string;
                /** The state at the moment of the answer; one of the words listed. */
                state: "not_begun" | "begun" | "stuck" | "finished";
                /** The number of active themes that the student has completed. */
                completed_themes: number;
                /** When the student last did something here, in UTC. Null: never. */
                last_active_at: string | null;
                /** In the order of `subjects`; null without an attempt. */
                results: ({
                    /** The number of attempts. */
                    attempts: number;
                    /** The points that were earned. Null: there is no result, or none that can be shown yet. */
                    score: number | null;
                    /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
                    passed: boolean;
                    /** When the first attempt that passed was submitted. */
                    passed_at: string | null;
                    /** Whether an attempt has begun and not ended. */
                    is_active: boolean;
                } | null)[];
            }[];
        };
        Container: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The name of the container in the engine. */
            name: string;
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** What it is, or belongs to; one of the words listed. */
            kind: "sandbox" | "exam" | "laboratory";
            /** The image of the container, as the engine names it. */
            image: string;
            /** Identifies the sandbox template: a positive 32-bit integer. Null: none, or that of the level above. */
            template_id: number | null;
            /** The state at the moment of the answer; one of the words listed. */
            status: "creating" | "running" | "stopped" | "failed";
            /** When it was created, in UTC. */
            created_at: string;
            /** When it started, in UTC. Null: it has not. */
            started_at: string | null;
            /** When it last stopped, in UTC. Null: it runs, or never ran. */
            stopped_at: string | null;
            /** Why it was stopped, unless its user did: `idle`: nobody used it; `room`: nobody used it and capacity was needed; `disk`: its disk was full; `exam`: its user takes an exam that allows no sandboxes. */
            stop_reason: "idle" | "room" | "disk" | "exam" | null;
            /** The time from which it is no longer valid, or no longer runs, in UTC. Null: no such time. */
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
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The name that people read, at most 200 characters. */
            name: string;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description: string;
            /** A keyword for the user interface. Empty: there is none. */
            icon: string;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index: number;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active: boolean;
            template_id: number | null;
            /** Of the students, only members of its classes see it. */
            is_class_only: boolean;
            /** The sections of the course, in their order. */
            sections: components["schemas"]["Section"][];
            /** How far the caller is. */
            progress: {
                /** The number of active themes that the student has completed. */
                completed_themes: number;
                /** The number of active themes. */
                total_themes: number;
                /** 0 to 100, with one decimal. */
                percent: number;
            };
        };
        CourseFields: {
            /** The name that people read, at most 200 characters. */
            name?: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description?: string;
            /** A keyword for the user interface. Empty: there is none. */
            icon?: string;
            /** Identifies the sandbox template: a positive 32-bit integer. Null: none, or that of the level above. */
            template_id?: number | null;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index?: number;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug?: string;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active?: boolean;
            /** Whether only the classes that have the course see it. */
            is_class_only?: boolean;
            /** Identifies the repository with the lessons: a positive 32-bit integer. Null: the one of the settings of the service. */
            repository_id?: number | null;
        };
        CourseImport: {
            url?: string | null;
            repository_id?: number | null;
            branch?: string | null;
            language?: string | null;
            /** Deletes sections and themes that are no longer in the repository, with the progress in them. */
            deletes_gone?: boolean;
        };
        CourseOutline: {
            /** The commit that was read. Null: the files are in no repository. */
            commit: string | null;
            /** What the order of the lessons is read from; one of the words listed. */
            format: "mkdocs" | "summary" | "jupyter-book" | "docusaurus" | "folders";
            file: string | null;
            /** The languages of lessons with translations, which `language` chooses from. */
            languages: string[];
            /** The courses, one item for each. */
            courses: components["schemas"]["OutlineCourse"][];
            /** What the import does, one item for each course, section and theme. */
            changes: components["schemas"]["OutlineChange"][];
            /** Entries that are left out; the first 200. */
            problems: components["schemas"]["OutlineProblem"][];
            /** The number of problems that prevent the import. */
            problem_count: number;
            /** The first 200. */
            warnings: components["schemas"]["OutlineProblem"][];
            /** The number of problems that do not prevent the import. */
            warning_count: number;
        };
        CourseRepository: { url?: string | null; repository_id?: number | null; branch?: string | null; language?: string | null; };
        CourseSubject: {
            /** What it is, or belongs to; one of the words listed. */
            kind: "exam" | "laboratory";
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** Identifies the course: a positive 32-bit integer. Null: it belongs to no course. */
            course_id: number;
            section_id: number | null;
            /** Whether the caller has passed an attempt whose results are visible. */
            is_passed: boolean;
        };
        CourseSummary: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The name that people read, at most 200 characters. */
            name: string;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description: string;
            /** A keyword for the user interface. Empty: there is none. */
            icon: string;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index: number;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active: boolean;
            template_id: number | null;
            /** Of the students, only members of its classes see it. */
            is_class_only: boolean;
            /** The number of active sections. */
            section_count: number;
            /** How far the caller is. */
            progress: {
                /** The number of active themes that the student has completed. */
                completed_themes: number;
                /** The number of active themes. */
                total_themes: number;
                /** 0 to 100, with one decimal. */
                percent: number;
            };
            /** The first theme that the caller has not completed. Null: all are completed. */
            next_theme: {
                /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
                id: number;
                /** The title that people read, at most 200 characters. */
                title: string;
            } | null;
        };
        Deletion: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** What it is, or belongs to; one of the words listed. */
            kind: "course" | "section" | "theme" | "exam" | "laboratory" | "exam_task" | "laboratory_task" | "sandbox_template" | "registration_code" | "class" | "class_join_code" | "class_grade_column" | "exam_session" | "announcement" | "note";
            /** The id that it had, and has again after it is restored. */
            entity_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            deleted_by: string | null;
            /** When it was deleted, in UTC. */
            deleted_at: string;
            /** Then it is deleted for good. */
            expires_at: string;
            /** Rows of the database that are restored with it, itself included. */
            row_count: number;
        };
        Done: {
            /** One sentence in English for people, which can change at any time. */
            detail: string;
        };
        Ending: {
            /** Without it: everybody in the session. */
            user_id?: number;
        };
        EndingBreak: {
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
        };
        /** The error in one sentence. Its stable code is in the header `Error-Code`. */
        Error: {
            /** In English. It can change at any time: decide by `Error-Code`. */
            detail: string;
        };
        /** - `bad_request` (400): The request is not valid HTTP, its path is not well encoded, or its body cannot be read. - `email_taken` (400): Another account has the email address. - `username_taken` (400): Another account has the username. - `wrong_password` (400): The current password, which the change of a password asks for, is not right. - `unauthorized` (401): There is no token, or it is malformed, expired, revoked or of a user who cannot log in. - `wrong_credentials` (401): The username or the password is not right. - `admin_required` (403): Only administrators may do this. - `closed` (403): The exam session is closed for the caller. - `file_denied` (403): The account of the caller on the machine may not read or write the file. - `forbidden` (403): The caller may not do this. - `instructor_required` (403): Only instructors and administrators may do this. - `login_locked` (403): The caller takes an exam in another login, which allows no second one; a supervisor can release it. - `no_attempts_left` (403): The caller has used all attempts of the exam session. - `not_open_yet` (403): The exam session opens later for the caller, at the time in `Retry-After`. - `registration_closed` (403): Nobody can register; administrators create the accounts. - `registration_code_missing` (403): Registration needs a registration code. - `registration_domain` (403): Registration is limited to email addresses of certain domains. - `wrong_access_code` (403): The exam session needs an access code, and the one that was given is wrong. - `wrong_invitation` (403): The invitation does not exist, has expired, was replaced or was used. - `wrong_network` (403): The exam session is limited to networks, and the request is from another one. - `wrong_registration_code` (403): The registration code does not exist, has expired or is used up. - `file_not_found` (404): The file, or the folder it would be in, does not exist on the machine. - `lesson_file_not_found` (404): The lessons repository does not have the file. - `lesson_file_too_large` (404): The file in the lessons repository is too large to be served. - `no_active_attempt` (404): The caller has no active attempt, or none of this exam or laboratory. - `not_found` (404): The path or the resource does not exist, or the caller may not see it. - `unknown_code` (404): No class can be joined with the code: it is wrong, withdrawn, expired, used up or not for the caller. - `method_not_allowed` (405): The path exists but does not take this method; `Allow` lists those that it takes. - `request_timeout` (408): The request did not arrive completely in time. - `already_member` (409): The user is a member of the class, or takes part in the exam session, already. - `attempt_active` (409): The caller has an active attempt already. - `attempt_grading` (409): The attempt is being graded already. - `attempt_lost` (409): The container of the attempt was lost; the attempt does not count and can be started again. - `attempt_not_extendable` (409): Only an attempt in progress with a time limit can get more time. - `attempt_not_in_progress` (409): The attempt is not in progress any more. - `attempt_not_regradable` (409): Only an attempt in progress whose grading failed can be graded again. - `attempt_queued` (409): The attempt waits for its container; its clock has not started. - `catalogue_full` (409): The catalogue has as many entries of this kind as it can have. - `changed_meanwhile` (409): Somebody changed the resource at the same time; read it and try again. - `class_archived` (409): The class is archived, so it gets no members, no join codes and no imports. - `column_name_taken` (409): The grade book has a column with the name already. - `conflict` (409): The request contradicts what is stored. - `container_creating` (409): The container is still being created. - `container_not_running` (409): The container is not running. - `container_of_attempt` (409): The container belongs to an attempt and is deleted with it. - `exam_locked_down` (409): The caller takes an exam during which sandboxes and laboratories cannot be started, laboratories cannot be checked, and files cannot be uploaded. - `file_exists` (409): The machine has a file of this name. - `file_not_stored` (409): The machine could not store the file; its disk may be full. - `files_full` (409): The files of the exam, the laboratory or the written lessons are as many, or have as many bytes, as they can. - `import_not_running` (409): The import of users has ended. - `import_running` (409): Another import of users is running; it can be cancelled. - `home_too_large` (409): The home folder of the sandbox is too large to be kept, so the sandbox cannot be stopped. - `last_administrator` (409): The last active administrator can be neither deleted, demoted nor deactivated. - `member_in_exam` (409): The member takes an exam in a session of the class, and can neither leave nor be removed before it ends. - `last_class_instructor` (409): The last instructor of a class can neither leave, be removed nor get another role. - `last_session_supervisor` (409): The last supervisor of an exam session for chosen students cannot be removed. - `lesson_file_in_use` (409): A lesson has the file, so it cannot be deleted. - `machine_file_too_large` (409): The file of the machine is too large to be downloaded. - `member_has_password` (409): The member has a password already, so only administrators issue an invitation. - `no_break_left` (409): The accommodation of the student allows no break, or its time is used up. - `not_on_break` (409): No break is running in the attempt. - `no_tasks` (409): The exam or laboratory has no tasks yet. - `not_a_file` (409): The path is that of a folder, a device or another thing that is not a regular file. - `path_conflict` (409): Another file has the path, or one would be a folder of the other. - `publish_required` (409): The exam or laboratory becomes active by being published, which tries its checks first. - `sandbox_disk_full` (409): The disk of the sandbox was full, so it can only be deleted. - `repository_in_use` (409): Courses read their lessons from the repository, so it cannot be deleted. - `restore_conflict` (409): What was deleted cannot be restored, because something else has its name or its place now. - `restore_parent_deleted` (409): What was deleted cannot be restored before what it belongs to. - `section_has_laboratory` (409): The section has a laboratory already. - `session_in_use` (409): An exam session has unfinished attempts, so neither it nor its class can be deleted. - `session_not_paused` (409): The exam session is not paused. - `session_not_running` (409): The exam session is not open, or it is paused. - `session_paused` (409): The exam session is paused, so nobody can start, and no break can begin. - `slug_taken` (409): Another resource of this kind has the slug. - `task_locked` (409): The task opens when the one before it has passed. - `too_long_to_sort` (409): The list has too many rows to be sorted by the field; a filter or the usual order is needed. - `too_many_announcements` (409): The class, or the service for everybody, has as many announcements as there can be; one must be deleted first. - `too_many_exam_sessions` (409): The class, or the instructor for chosen students, has as many exam sessions as it can have; one must be deleted first. - `too_many_grade_columns` (409): The grade book has as many columns as it can have; one must be deleted first. - `too_many_join_codes` (409): The class has as many join codes as it can have; one must be withdrawn first. - `too_many_laboratories` (409): The caller has too many active laboratories; one must be submitted or abandoned first. - `too_many_notes` (409): The caller has as many notes and bookmarks as a user can have; one must be deleted first. - `too_many_sandboxes` (409): The caller has as many sandboxes as a user can have; one must be deleted first. - `too_many_session_supervisors` (409): The exam session has as many supervisors as it can have. - `too_many_session_users` (409): The exam session has as many chosen students as it can have. - `too_many_tasks` (409): The exam or laboratory has as many tasks as it can have. - `template_gone` (409): The template of the sandbox does not exist any more, or is not for the caller. - `terminal_held` (409): The clock of the attempt is stopped, so no files can be transferred to or from its machine. - `trial_failed` (409): The exam or laboratory is not published, because the trial of its checks failed. - `values_above_maximum` (409): A value of a column of the grade book would be above the maximum of the column. - `body_too_large` (413): The request body is too large. - `file_too_large` (413): The uploaded file has too many bytes. - `picture_too_large` (413): The uploaded picture has too many pixels. - `not_a_picture` (415): The uploaded file is not a PNG, JPEG, WebP or GIF picture. - `unsupported_media_type` (415): The request body has a content type that is not read here. - `validation` (422): The request does not fit its schema; `detail` lists what is wrong, field by field. - `upgrade_required` (426): The path takes WebSocket connections only. - `too_many_logins` (429): Too many logins failed, or run at once; `Retry-After` says when to try again. - `too_many_registration_codes` (429): Too many wrong registration codes were tried; `Retry-After` says when to try again. - `too_many_registrations` (429): Too many accounts were registered from this network; `Retry-After` says when to try again. - `too_many_requests` (429): The caller sends too many requests; `Retry-After` says when to try again. - `too_many_wrong_access_codes` (429): Too many wrong access codes were tried; `Retry-After` says when to try again. - `too_many_wrong_invitations` (429): Too many wrong invitations were tried; `Retry-After` says when to try again. - `too_many_wrong_join_codes` (429): Too many wrong join codes were tried; `Retry-After` says when to try again. - `headers_too_large` (431): The headers of the request are too large. - `internal` (500): The service failed unexpectedly; its log has the cause. - `cancelled` (503): The attempt or container was cancelled while its container was being created. - `database_unavailable` (503): The database cannot be reached. - `engine_unavailable` (503): The container engine cannot be reached or failed. - `grading_failed` (503): Grading failed part-way; nothing is lost and the attempt can be submitted again. - `image_missing` (503): The container engine does not have the image. - `lessons_unavailable` (503): The lessons repository cannot be reached or read. - `no_capacity` (503): All containers that the service can run are in use. - `overloaded` (503): The service has too much to do right now. - `queue_full` (503): Too many attempts wait for a container. - `reset_failed` (503): The sandbox was deleted to be reset, but the new one could not be created. - `stopping` (503): The service is stopping. - `setup_failed` (503): The set-up of the exam or laboratory failed, and no attempt is used up; the log has the cause. - `storage_unavailable` (503): Pictures or recordings cannot be read or written now. - `trial_interrupted` (503): The trial of the checks did not run to its end. - `unavailable` (503): The service cannot do this now. */
        ErrorCode: "admin_required" | "already_member" | "attempt_active" | "attempt_grading" | "attempt_lost" | "attempt_not_extendable" | "attempt_not_in_progress" | "attempt_not_regradable" | "attempt_queued" | "bad_request" | "body_too_large" | "cancelled" | "catalogue_full" | "changed_meanwhile" | "class_archived" | "closed" | "column_name_taken" | "conflict" | "container_creating" | "container_not_running" | "container_of_attempt" | "database_unavailable" | "email_taken" | "engine_unavailable" | "exam_locked_down" | "file_denied" | "file_exists" | "file_not_found" | "file_not_stored" | "file_too_large" | "files_full" | "forbidden" | "grading_failed" | "headers_too_large" | "home_too_large" | "image_missing" | "import_not_running" | "import_running" | "instructor_required" | "internal" | "last_administrator" | "last_class_instructor" | "last_session_supervisor" | "lesson_file_in_use" | "lesson_file_not_found" | "lesson_file_too_large" | "lessons_unavailable" | "login_locked" | "machine_file_too_large" | "member_has_password" | "member_in_exam" | "method_not_allowed" | "no_active_attempt" | "no_attempts_left" | "no_break_left" | "no_capacity" | "no_tasks" | "not_a_file" | "not_a_picture" | "not_found" | "not_on_break" | "not_open_yet" | "overloaded" | "path_conflict" | "picture_too_large" | "publish_required" | "queue_full" | "registration_closed" | "registration_code_missing" | "registration_domain" | "repository_in_use" | "request_timeout" | "reset_failed" | "restore_conflict" | "restore_parent_deleted" | "sandbox_disk_full" | "section_has_laboratory" | "session_in_use" | "session_not_paused" | "session_not_running" | "session_paused" | "setup_failed" | "slug_taken" | "stopping" | "storage_unavailable" | "task_locked" | "template_gone" | "terminal_held" | "too_long_to_sort" | "too_many_announcements" | "too_many_exam_sessions" | "too_many_grade_columns" | "too_many_join_codes" | "too_many_laboratories" | "too_many_logins" | "too_many_notes" | "too_many_registration_codes" | "too_many_registrations" | "too_many_requests" | "too_many_sandboxes" | "too_many_session_supervisors" | "too_many_session_users" | "too_many_tasks" | "too_many_wrong_access_codes" | "too_many_wrong_invitations" | "too_many_wrong_join_codes" | "trial_failed" | "trial_interrupted" | "unauthorized" | "unavailable" | "unknown_code" | "unsupported_media_type" | "upgrade_required" | "username_taken" | "validation" | "values_above_maximum" | "wrong_access_code" | "wrong_credentials" | "wrong_invitation" | "wrong_network" | "wrong_password" | "wrong_registration_code";
        ErrorItem: {
            /** The index of the item in `detail`. */
            index: number;
            /** The stable code of the problem; /api/docs/errors lists these codes. */
            code: string;
            /** The values in the text of the problem, by name. */
            params?: { [key: string]: string | number; };
        };
        Exam: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            slug: string | null;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description: string;
            /** Markdown, shown before the start and during an attempt. */
            introduction: string;
            /** Markdown, shown with the results of an attempt that has ended. */
            conclusion?: string;
            /** The image of the containers, as the engine names it; at most 500 characters. */
            container_image: string;
            /** The account of students in the container; default `student`. 422: the image does not grant root. */
            user: "student" | "root";
            /** In points. */
            passing_score: number;
            /** False: a draft, which students do not see. */
            is_active: boolean;
            setup_script?: string | null;
            /** When it was created, in UTC. */
            created_at: string;
            /** The number of tasks. */
            task_count: number;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            /** The time for an attempt in minutes, 1 to 1440. Null: no limit of its own. */
            time_limit_minutes: number;
            /** Identifies the course: a positive 32-bit integer. Null: it belongs to no course. */
            course_id: number | null;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index: number;
            /** It starts for nobody outside of exam sessions, and students see the texts of its tasks from their start on. It becomes true when an administrator plans its first session. */
            is_session_only: boolean;
            /** The tasks, in their order. */
            tasks: components["schemas"]["ExamTask"][];
        };
        ExamAttempt: {
            /** Identifies the exam: a positive 32-bit integer. Null: it belongs to no exam, or the exam was deleted. */
            exam_id: number | null;
            session_id: number | null;
            /** Its clock has been stopped since then. `expires_at` moves when the session is resumed, or the break ends. */
            paused_at: string | null;
            /** When the break ends that began at `paused_at`. While the session is paused, it moves with the time. Null: the student is not on a break. */
            break_ends_at: string | null;
            /** Whether an instructor or administrator ended it before its time: while it was in progress, and it is graded as it was at `submitted_at`, or in the queue. */
            is_ended_by_staff: boolean;
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            container_id: number | null;
            /** The name of the container in the engine. */
            container_name: string;
            /** The state at the moment of the answer; one of the words listed. */
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            /** When it was handed in, in UTC. Null: it was not. */
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            /** The points that are needed to pass. */
            passing_score: number;
            /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
            passed: boolean | null;
            /** Why the grading failed, in English. Null: it did not. */
            grading_error: string | null;
            /** Why the grading failed, or why the attempt ended without a result; /api/docs/errors lists the codes. Null for some older errors as well. */
            grading_error_code: "container_full" | "container_lost" | "container_not_created" | "container_replaced" | "container_stopped" | "container_unreachable" | "engine_unavailable" | "grading_failed" | "grading_interrupted" | "restored_from_backup" | null;
        };
        ExamCandidate: {
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email: string;
        };
        ExamChanges: {
            fields?: components["schemas"]["ChangedExam"];
            /** The tasks, in their order. */
            tasks?: components["schemas"]["ChangedExamTask"][];
            /** They are appended. In the report the first one has the `task_id` -1, the next one -2. */
            new_tasks?: components["schemas"]["NewExamTask"][];
        };
        ExamEntry: {
            /** Identifies the exam session: a positive 32-bit integer. Null: the attempt belongs to none. */
            session_id?: number;
            /** The code that the supervisor says in the room, at most 200 characters. */
            access_code?: string;
        };
        ExamFields: {
            /** The title that people read, at most 200 characters. */
            title?: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description?: string;
            /** Markdown, shown before the start and during an attempt. */
            introduction?: string;
            /** Markdown, shown with the results of an attempt that has ended. */
            conclusion?: string;
            /** The image of the containers, as the engine names it; at most 500 characters. */
            container_image?: string;
            /** The account of students in the container; default `student`. 422: the image does not grant root. */
            user?: "student" | "root";
            /** In points. */
            passing_score?: number;
            /** False: a draft, which students do not see. */
            is_active?: boolean;
            setup_script?: string | null;
            /** The time for an attempt in minutes, 1 to 1440. Null: no limit of its own. */
            time_limit_minutes?: number;
            /** Identifies the course: a positive 32-bit integer. Null: it belongs to no course. */
            course_id?: number | null;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
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
            /** The exam that the answer is about. */
            exam: components["schemas"]["GradedSubject"];
            /** The tasks, in their order. */
            tasks: components["schemas"]["GradedTask"][];
            /** The students, one item for each. */
            students: components["schemas"]["GradedStudent"][];
        };
        /** A message of an instructor. */
        ExamMessage: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The text itself, as people read it. */
            text: string;
            /** When it was created, in UTC. */
            created_at: string;
        };
        ExamPublication: {
            fields?: components["schemas"]["ChangedExam"];
            /** The tasks, in their order. */
            tasks?: components["schemas"]["ChangedExamTask"][];
            /** They are appended. In the report the first one has the `task_id` -1, the next one -2. */
            new_tasks?: components["schemas"]["NewExamTask"][];
        };
        ExamResults: {
            /** Identifies the exam: a positive 32-bit integer. Null: it belongs to no exam, or the exam was deleted. */
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
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            container_id: number | null;
            /** The name of the container in the engine. */
            container_name: string;
            /** The state at the moment of the answer; one of the words listed. */
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            /** When it was handed in, in UTC. Null: it was not. */
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            /** The points that are needed to pass. */
            passing_score: number;
            /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
            passed: boolean | null;
            /** Why the grading failed, in English. Null: it did not. */
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
        ExamRoom: {
            /** The exam session. */
            session: components["schemas"]["ExamRoomSession"];
            /** The students, one item for each. */
            students: components["schemas"]["ExamRoomStudent"][];
        };
        ExamRoomChange: {
            /** The exam session. */
            session?: components["schemas"]["ExamRoomSession"];
            /** The students, one item for each. */
            students: components["schemas"]["ExamRoomStudent"][];
            /** The ids of the students who are no longer in the list. */
            gone: number[];
        };
        ExamRoomSession: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the exam: a positive 32-bit integer. Null: it belongs to no exam, or the exam was deleted. */
            exam_id: number;
            /** How the exam is called at the moment, at most 200 characters. */
            exam_title: string;
            class_id: number | null;
            /** The name of the class. Null: it belongs to no class. */
            class_name: string | null;
            chosen_students: number | null;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** For a student of the session, the student's own. */
            opens_at: string;
            /** For a student of the session, the student's own. While the session is paused, it moves with the time. */
            closes_at: string;
            /** When students see their results; one of the words listed. */
            results_visible: "at_end" | "after_close" | "when_released" | "never";
            /** During an attempt its student has one login, and no sandboxes and laboratories. */
            is_locked_down: boolean;
            /** Whether its time stands still. */
            is_paused: boolean;
            /** Whether the results were released to the students. */
            is_released: boolean;
            /** The state at the moment of the answer; one of the words listed. */
            state: "upcoming" | "open" | "closed";
        };
        ExamRoomStudent: {
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** The state at the moment of the answer; one of the words listed. */
            status: "not_started" | "queued" | "in_progress" | "grading" | "finished" | "expired" | "abandoned";
            attempt_id: number | null;
            /** Attempts that count towards `max_attempts`. */
            attempts: number;
            /** When it started, in UTC. Null: it has not. */
            started_at: string | null;
            /** The time from which it is no longer valid, or no longer runs, in UTC. Null: no such time. */
            expires_at: string | null;
            /** When it was handed in, in UTC. Null: it was not. */
            submitted_at: string | null;
            /** The clock has been stopped since then. */
            paused_at: string | null;
            /** When the break ends that began at `paused_at`. While the session is paused, it moves with the time. */
            break_ends_at: string | null;
            /** Null for students who supervise: accommodations are not for them. */
            time_factor: number | null;
            /** The exam runs in one login of the student, who cannot log in elsewhere until `unlock`. */
            is_locked: boolean;
            /** Identifies the container: a positive 32-bit integer. Null: there is none, or no longer. */
            container_id: number | null;
            /** Whether a terminal of the student is open. */
            is_connected: boolean;
            /** When a terminal was last open, or the student last asked for the place in the queue. */
            last_seen_at: string | null;
            /** When the student last typed in a terminal of the attempt, to half a minute. */
            last_input_at: string | null;
            /** `login_refused`: the student has tried to log in elsewhere, which `unlock` allows. `lost`: the container is lost, another one is being prepared. `replaced`: it replaces a lost one. `disk_full`: it was stopped. `integrity`: files of the system were changed. `not_gradable`: the grading failed. */
            warnings: ("login_refused" | "lost" | "replaced" | "disk_full" | "integrity" | "not_gradable")[];
            /** The points that were earned. Null: there is no result, or none that can be shown yet. */
            score: number | null;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number | null;
            /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
            passed: boolean | null;
        };
        ExamSession: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the exam: a positive 32-bit integer. Null: it belongs to no exam, or the exam was deleted. */
            exam_id: number;
            /** How the exam is called at the moment, at most 200 characters. */
            exam_title: string;
            class_id: number | null;
            /** The name of the class. Null: it belongs to no class. */
            class_name: string | null;
            chosen_students: number | null;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** For a student of the session, the student's own. */
            opens_at: string;
            /** For a student of the session, the student's own. While the session is paused, it moves with the time. */
            closes_at: string;
            time_limit_minutes: number | null;
            max_attempts: number | null;
            /** Which attempt of several counts: the best, the last or the first. */
            counted_attempt: "best" | "last" | "first";
            /** Whether a start needs the code that the supervisor says in the room. */
            has_access_code: boolean;
            /** Where attempts can be started from. None: from anywhere. */
            networks: string[];
            /** When students see their results; one of the words listed. */
            results_visible: "at_end" | "after_close" | "when_released" | "never";
            /** Whether students see the output of the checks. */
            is_output_visible: boolean;
            /** During an attempt its student has one login, and no sandboxes and laboratories. */
            is_locked_down: boolean;
            /** Whether its time stands still. */
            is_paused: boolean;
            /** Whether the results were released to the students. */
            is_released: boolean;
            /** When it was created, in UTC. */
            created_at: string;
            /** The state at the moment of the answer; one of the words listed. */
            state: "upcoming" | "open" | "closed";
            attempts_left: number | null;
            /** The role of the caller in the class or the session. Null if the caller is not a member. */
            my_role: ("student" | "assistant" | "instructor") | null;
        };
        ExamSessionChange: {
            /** When the exam session opens, in UTC. Null: as for everyone. */
            opens_at?: string;
            /** When the exam session closes, in UTC. Null: as for everyone. */
            closes_at?: string;
            /** The title that people read, at most 200 characters. */
            title?: string;
            /** The time for an attempt in minutes, 1 to 1440. Null: no limit of its own. */
            time_limit_minutes?: number | null;
            /** How many attempts a student has, 1 to 1000. Null: any number, or as many as everyone. */
            max_attempts?: number | null;
            /** Which attempt of several counts: the best, the last or the first. */
            counted_attempt?: "best" | "last" | "first";
            access_code?: string | null;
            /** In CIDR notation, IPv4 or IPv6. */
            networks?: string[];
            /** When students see their results; one of the words listed. */
            results_visible?: "at_end" | "after_close" | "when_released" | "never";
            /** Whether students see the output of the checks with their results. */
            is_output_visible?: boolean;
            /** Of attempts that start from then on. */
            is_locked_down?: boolean;
        };
        ExamTask: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            description: string | null;
            /** The points for the task, 0 to 10,000. */
            points: number;
            /** Bash that gives the verdict as `verdict` says. */
            verification_script?: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index: number;
            /** True: the exam starts for the caller in exam sessions only, and the text is shown when an attempt of the caller runs or has ended. */
            is_locked?: boolean;
        };
        ExamTaskFields: {
            /** The title that people read, at most 200 characters. */
            title?: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description?: string;
            /** The points for the task, 0 to 10,000. */
            points?: number;
            /** Bash that gives the verdict as `verdict` says. */
            verification_script?: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index?: number;
        };
        Extension: {
            /** A time in minutes, 1 to 1440. */
            minutes: number;
            /** Without it: everybody in the session. */
            user_id?: number;
        };
        FirstStep: {
            /** Which step it is; one of the words listed. */
            step: "courses" | "students" | "class" | "images" | "exam_session" | "backup";
            /** `images`: the container engine responds and has every image of the active exams and laboratories. `backup`: `npm run backup` has succeeded. `students` of an instructor: also with a join code. */
            is_done: boolean;
            /** The images that the engine does not have. */
            missing?: string[];
        };
        FoundNames: {
            /** The students who were found, in the order of the names. */
            students: components["schemas"]["ExamCandidate"][];
            /** The names that lead to no student, one item for each. */
            problems: {
                /** The place of the name in the request, from 0. */
                index: number;
                /** What is wrong, as one of the words listed. */
                problem: "unknown" | "inactive" | "repeated";
            }[];
        };
        Grade: {
            /** The number of attempts. */
            attempts: number;
            attempt_id: number | null;
            /** The points that were earned. Null: there is no result, or none that can be shown yet. */
            score: number | null;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number | null;
            /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
            passed: boolean | null;
            /** When it was handed in, in UTC. Null: it was not. */
            submitted_at: string | null;
            /** Whether an attempt has begun and not ended. */
            is_active: boolean;
        };
        GradeBook: {
            /** How the percentage is worked out. */
            rules: components["schemas"]["GradeBookRules"];
            /** The exams and laboratories of the courses of the class. */
            subjects: {
                /** Such as `exam-3`, `laboratory-4` or `column-5`. */
                key: string;
                /** What it is, or belongs to; one of the words listed. */
                kind: "exam" | "laboratory";
                /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
                id: number;
                /** The title that people read, at most 200 characters. */
                title: string;
                /** The highest score that is possible. Null: nothing has been begun. */
                max_score: number;
                /** The points that are needed to pass. */
                passing_score: number;
                /** A retired exam or laboratory is listed if a student has a grade in it. It counts for no total. */
                is_active: boolean;
                /** The weight in the percentage, beside those of the others. 0: it does not count. */
                weight: number;
                /** Of an exam session only the attempt that counts there takes part. Of equal scores the newest. */
                counted_attempt: "best" | "last" | "first";
            }[];
            /** Columns with typed values. */
            columns: {
                /** Such as `exam-3`, `laboratory-4` or `column-5`. */
                key: string;
                /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
                id: number;
                /** The name that people read, at most 200 characters. */
                name: string;
                /** The highest score that is possible. Null: nothing has been begun. */
                max_score: number;
                /** The weight in the percentage, beside those of the others. 0: it does not count. */
                weight: number;
            }[];
        };
        GradeBookChange: {
            /** `zero`: what has no result counts as 0. `ignored`: it does not count. */
            missing?: "zero" | "ignored";
            /** How many of the lowest results do not count, 0 to 100. */
            drop_lowest?: number;
            /** The percentage that is needed to pass, 0 to 100. Null: there is no limit. */
            passing_percent?: number | null;
            /** Whether the students of the class see their percentage. */
            is_visible?: boolean;
            /** Those that change. */
            subjects?: {
                /** What it is, or belongs to; one of the words listed. */
                kind: "exam" | "laboratory";
                /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
                id: number;
                /** With 0 it counts for no percentage. */
                weight?: number;
                /** Which attempt of several counts: the best, the last or the first. */
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
        GradeColumn: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The name that people read, at most 200 characters. */
            name: string;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            /** The weight in the percentage, beside those of the others. 0: it does not count. */
            weight: number;
        };
        GradeColumnChange: {
            /** Unique in the class, in any case. Not `username`, `email` or `full_name`. */
            name?: string;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score?: number;
            /** With 0 it counts for no percentage. */
            weight?: number;
        };
        GradeStatistics: {
            /** Identifies it among the others of the answer. */
            key: string;
            title: string | null;
            /** Of the class. */
            students: number;
            /** Students with a grade. The next figures are percentages of theirs. */
            count: number;
            /** The average of the scores. Null: there are none. */
            mean: number | null;
            /** The score in the middle. Null: there are none. */
            median: number | null;
            deviation: number | null;
            /** The lowest score. Null: there are none. */
            lowest: number | null;
            /** The highest score. Null: there are none. */
            highest: number | null;
            /** Students by percentage. A bin includes `from`, the last one also 100. */
            bins: {
                /** The lower end, in percent of the highest possible score. */
                from: number;
                /** The upper end, in percent of the highest possible score. */
                to: number;
                /** The number of results between the two ends. */
                count: number;
            }[];
            minutes: number | null;
            /** Empty for the total and for columns. */
            tasks: {
                /** Identifies the task: a positive 32-bit integer. */
                task_id: number;
                /** The title that people read, at most 200 characters. */
                title: string;
                /** The points for the task, 0 to 10,000. */
                points: number;
                /** Counted attempts with a result of the task. */
                count: number;
                /** How many of the counted attempts solved the task. */
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
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email: string;
            /** The number of attempts. */
            attempts: number;
            /** The attempt that counts. The following fields are those of this attempt. */
            attempt_id: number;
            /** The state at the moment of the answer; one of the words listed. */
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** When it started, in UTC. Null: it has not. */
            started_at: string;
            /** When it was handed in, in UTC. Null: it was not. */
            submitted_at: string | null;
            /** The points that were earned. Null: there is no result, or none that can be shown yet. */
            score: number | null;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
            passed: boolean | null;
            /** One for each of `tasks`, in their order; null where the task was not graded. */
            results: ({
                /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
                passed: boolean;
                /** The points that were earned for the task. */
                points_earned: number;
            } | null)[];
        };
        GradedSubject: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            /** The points that are needed to pass. */
            passing_score: number;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active: boolean;
        };
        GradedTask: {
            /** Identifies the task: a positive 32-bit integer. */
            task_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** The points for the task, 0 to 10,000. */
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
            /** How the characters of the file are written. Without it: recognised. */
            encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1251" | "windows-1252";
            /** The character between two values. */
            separator: "comma" | "semicolon" | "tab";
            /** Whether the first line has the names of the columns. */
            has_header: boolean;
            /** The columns of the file, from the left. */
            columns: { name: string | null; example: string | null; field: string | null; }[];
            /** What a column can be taken for. */
            fields: {
                /** Identifies it among the others of the answer. */
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
            /** The number of problems that prevent the import. */
            problem_count: number;
            /** Lines of a roster that are no people: the `points` of a Canvas export, its `test_student`, and lines without a name or an id (`no_person`). */
            left_out: components["schemas"]["LeftOutLine"][];
            usernames: components["schemas"]["ImportedUsernames"] | null;
        };
        ImportProblem: {
            /** Of the file, from 1. */
            line: number;
            /** The column of the problem. Null: it concerns the whole line. */
            column: string | null;
            /** /api/docs/errors lists them. */
            code: string;
            /** The values in the text of the problem, by name. */
            params: { [key: string]: string | number; };
            /** In English. */
            detail: string;
        };
        ImportedGrades: {
            /** The number of lines that were taken over. */
            lines: number;
            /** Values that are others than before. */
            changed: number;
        };
        ImportedMember: {
            /** Of the file, from 1, the header. */
            line: number;
            /** What came of it; one of the words listed. */
            outcome: "created" | "added" | "already_member";
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            email: string | null;
            /** What the user may do; one of the words listed. */
            role: "student" | "assistant" | "instructor";
            password: string | null;
            /** The code with which the user of a new account sets a password. It is shown only this once. */
            invitation?: string;
        };
        ImportedUser: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email: string;
            /** What the user may do; one of the words listed. */
            role: "student" | "instructor" | "admin";
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** The path of the picture on this service. Null: there is no picture. */
            avatar_url: string | null;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active: boolean;
            /** When it was created, in UTC. */
            created_at: string;
            /** When the user last logged in, in UTC. Null: never. */
            last_login_at: string | null;
            password: string | null;
        };
        /** Where the usernames of new accounts come from. */
        ImportedUsernames: {
            /** Where the user names came from; one of the words listed. */
            source: "file" | "local_part" | "address";
            /** The user names of the first new accounts. */
            examples: string[];
        };
        InstructorOverview: {
            /** Whether the caller is instructor or assistant of a class. */
            has_classes: boolean;
            /** The latest first. */
            stuck: components["schemas"]["StuckStudent"][];
            /** Of all, also of those who are not in the list. */
            stuck_count: number;
            /** Closed exam sessions whose results students see when they are released. */
            results_to_release: {
                /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
                id: number;
                /** The title that people read, at most 200 characters. */
                title: string;
                /** How the exam is called at the moment, at most 200 characters. */
                exam_title: string;
                class_id: number | null;
                /** The name of the class. Null: it belongs to no class. */
                class_name: string | null;
                /** When the exam session closes, in UTC. Null: as for everyone. */
                closes_at: string;
                /** That ended. */
                attempts: number;
            }[];
            /** Running attempts that could not be graded. */
            failed_gradings: {
                /** Identifies the attempt: a positive 32-bit integer. Null: there is none. */
                attempt_id: number;
                /** What it is, or belongs to; one of the words listed. */
                kind: "exam" | "laboratory";
                /** The title that people read, at most 200 characters. */
                title: string;
                /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
                username: string;
                /** The name that people read, at most 200 characters. Null: not given. */
                full_name: string | null;
            }[];
            /** Exams and laboratories whose last trial found problems; for administrators. */
            failed_trials: {
                /** What it is, or belongs to; one of the words listed. */
                kind: "exam" | "laboratory";
                /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
                id: number;
                /** The title that people read, at most 200 characters. */
                title: string;
                /** When it was last tried, in UTC. */
                tried_at: string;
            }[];
            /** The exam sessions that are open now. */
            open_sessions: {
                /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
                id: number;
                /** The title that people read, at most 200 characters. */
                title: string;
                /** How the exam is called at the moment, at most 200 characters. */
                exam_title: string;
                class_id: number | null;
                /** The name of the class. Null: it belongs to no class. */
                class_name: string | null;
                /** When the exam session closes, in UTC. Null: as for everyone. */
                closes_at: string;
                /** Whether its time stands still. */
                is_paused: boolean;
                /** Of the class, or chosen ones. */
                students: number;
                /** Students with an attempt that runs or is queued. */
                working: number;
                /** Students with an attempt that ended. */
                done: number;
            }[];
            /** Of the next 14 days. */
            upcoming_sessions: {
                /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
                id: number;
                /** The title that people read, at most 200 characters. */
                title: string;
                /** How the exam is called at the moment, at most 200 characters. */
                exam_title: string;
                class_id: number | null;
                /** The name of the class. Null: it belongs to no class. */
                class_name: string | null;
                /** When the exam session opens, in UTC. Null: as for everyone. */
                opens_at: string;
            }[];
            /** What is going on at the moment of the answer. */
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
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** It is shown only this once. */
            code: string;
            /** The time from which it is no longer valid, or no longer runs, in UTC. Null: no such time. */
            expires_at: string;
        };
        InvitationUse: {
            /** Case, spaces and hyphens are ignored. */
            code: string;
            password?: string | null;
        };
        Invited: {
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
        };
        Join: {
            /** Case, spaces and hyphens are ignored. */
            code: string;
        };
        JoinCode: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The code itself, to be written as it is. */
            code: string;
            /** The time from which it is no longer valid, or no longer runs, in UTC. Null: no such time. */
            expires_at: string | null;
            /** How many users can use the code. Null: any number. */
            max_uses: number | null;
            /** How many users have used the code. */
            uses: number;
            /** Only addresses of this domain can use the code. Null: all can. */
            email_domain: string | null;
            /** When it was created, in UTC. */
            created_at: string;
        };
        Laboratory: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            slug: string | null;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description: string;
            /** Markdown, shown before the start and during an attempt. */
            introduction: string;
            /** Markdown, shown with the results of an attempt that has ended. */
            conclusion?: string;
            /** The image of the containers, as the engine names it; at most 500 characters. */
            container_image: string;
            /** The account of students in the container; default `student`. 422: the image does not grant root. */
            user: "student" | "root";
            /** In points. */
            passing_score: number;
            /** False: a draft, which students do not see. */
            is_active: boolean;
            setup_script?: string | null;
            /** When it was created, in UTC. */
            created_at: string;
            /** The number of tasks. */
            task_count: number;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            time_limit_minutes: number | null;
            /** Identifies the section: a positive 32-bit integer. Null: it belongs to no section. */
            section_id: number | null;
            /** The tasks open one after another: each when the one before has passed. */
            is_sequential: boolean;
            /** The tasks, in their order. */
            tasks: components["schemas"]["LaboratoryTask"][];
        };
        LaboratoryAttempt: {
            /** Identifies the laboratory: a positive 32-bit integer. Null: it belongs to no laboratory, or the laboratory was deleted. */
            laboratory_id: number | null;
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            container_id: number | null;
            /** The name of the container in the engine. */
            container_name: string;
            /** The state at the moment of the answer; one of the words listed. */
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            /** When it was handed in, in UTC. Null: it was not. */
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            /** The points that are needed to pass. */
            passing_score: number;
            /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
            passed: boolean | null;
            /** Why the grading failed, in English. Null: it did not. */
            grading_error: string | null;
            /** Why the grading failed, or why the attempt ended without a result; /api/docs/errors lists the codes. Null for some older errors as well. */
            grading_error_code: "container_full" | "container_lost" | "container_not_created" | "container_replaced" | "container_stopped" | "container_unreachable" | "engine_unavailable" | "grading_failed" | "grading_interrupted" | "restored_from_backup" | null;
        };
        LaboratoryChanges: {
            fields?: components["schemas"]["ChangedLaboratory"];
            /** The tasks, in their order. */
            tasks?: components["schemas"]["ChangedLaboratoryTask"][];
            /** They are appended. In the report the first one has the `task_id` -1, the next one -2. */
            new_tasks?: components["schemas"]["NewLaboratoryTask"][];
        };
        LaboratoryDeadline: {
            /** Identifies the class: a positive 32-bit integer. Null: it belongs to no class, or the class was deleted. */
            class_id: number;
            /** The name of the class. Null: it belongs to no class. */
            class_name: string;
            /** Identifies the laboratory: a positive 32-bit integer. Null: it belongs to no laboratory, or the laboratory was deleted. */
            laboratory_id: number;
            /** Of the laboratory. */
            title: string;
            /** When it is due, in UTC. */
            due_at: string;
            /** When the caller passed the laboratory for the first time. */
            passed_at: string | null;
        };
        LaboratoryDeadlineBody: {
            /** When it is due, in UTC. */
            due_at: string;
        };
        LaboratoryFields: {
            /** The title that people read, at most 200 characters. */
            title?: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description?: string;
            /** Markdown, shown before the start and during an attempt. */
            introduction?: string;
            /** Markdown, shown with the results of an attempt that has ended. */
            conclusion?: string;
            /** The image of the containers, as the engine names it; at most 500 characters. */
            container_image?: string;
            /** The account of students in the container; default `student`. 422: the image does not grant root. */
            user?: "student" | "root";
            /** In points. */
            passing_score?: number;
            /** False: a draft, which students do not see. */
            is_active?: boolean;
            setup_script?: string | null;
            time_limit_minutes?: number | null;
            /** Identifies the section: a positive 32-bit integer. Null: it belongs to no section. */
            section_id?: number | null;
            /** The tasks open one after another: each when the one before has passed. */
            is_sequential?: boolean;
        };
        LaboratoryGradeBook: {
            /** The laboratory that the answer is about. */
            laboratory: components["schemas"]["GradedSubject"];
            /** The tasks, in their order. */
            tasks: components["schemas"]["GradedTask"][];
            /** The students, one item for each. */
            students: components["schemas"]["GradedStudent"][];
        };
        LaboratoryPublication: {
            fields?: components["schemas"]["ChangedLaboratory"];
            /** The tasks, in their order. */
            tasks?: components["schemas"]["ChangedLaboratoryTask"][];
            /** They are appended. In the report the first one has the `task_id` -1, the next one -2. */
            new_tasks?: components["schemas"]["NewLaboratoryTask"][];
        };
        LaboratoryResults: {
            /** Identifies the laboratory: a positive 32-bit integer. Null: it belongs to no laboratory, or the laboratory was deleted. */
            laboratory_id: number | null;
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            container_id: number | null;
            /** The name of the container in the engine. */
            container_name: string;
            /** The state at the moment of the answer; one of the words listed. */
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            /** When it was handed in, in UTC. Null: it was not. */
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            /** The points that are needed to pass. */
            passing_score: number;
            /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
            passed: boolean | null;
            /** Why the grading failed, in English. Null: it did not. */
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
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description: string;
            /** The points for the task, 0 to 10,000. */
            points: number;
            /** Bash that gives the verdict as `verdict` says. */
            verification_script?: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index: number;
            /** A help for the task in Markdown, at most 100,000 characters. Empty: there is none. */
            hint: string;
            /** True: the task opens when the one before has passed. Its description and hint are empty. */
            is_locked?: boolean;
        };
        LaboratoryTaskFields: {
            /** The title that people read, at most 200 characters. */
            title?: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description?: string;
            /** The points for the task, 0 to 10,000. */
            points?: number;
            /** Bash that gives the verdict as `verdict` says. */
            verification_script?: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index?: number;
            /** A help for the task in Markdown, at most 100,000 characters. Empty: there is none. */
            hint?: string;
        };
        LeftOutLine: {
            /** The number of the line in the file, from 1. */
            line: number;
            /** The name that people read, at most 200 characters. */
            name: string;
            /** Why the line was left out; one of the words listed. */
            reason: "points" | "test_student" | "no_person";
        };
        LessonFile: {
            /** The path of the file, relative, with slashes. */
            path: string;
            /** The themes that show the file. */
            lessons: components["schemas"]["LessonOfFile"][];
        };
        LessonOfFile: {
            /** Identifies the theme: a positive 32-bit integer. */
            theme_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** The name of the course. */
            course: string;
        };
        LessonRepository: {
            /** Identifies the repository: a positive 32-bit integer. Null for the one of the settings of the service. */
            id: number | null;
            /** The lessons repository of the service, which its configuration names. Its `id` is null. */
            is_default: boolean;
            /** The name that people read, at most 200 characters. */
            name: string;
            url: string | null;
            /** The branch of the repository. Null: its default one. */
            branch: string | null;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string | null;
            /** Whether there is a key or a password for the repository. */
            has_key: boolean;
            commit: string | null;
            /** When it was last changed, in UTC. Null: never. */
            updated_at: string | null;
            error: string | null;
            error_code: string | null;
            error_params: { [key: string]: string; } | null;
            /** When it could last not be brought up to date, in UTC. Null: the last time went well. */
            failed_at: string | null;
            /** The courses, one item for each. */
            courses: {
                /** Identifies the repository: a positive 32-bit integer. Null for the one of the settings of the service. */
                id: number;
                /** The name that people read, at most 200 characters. */
                name: string;
            }[];
        };
        LessonRepositoryChanges: {
            /** The name that people read, at most 200 characters. */
            name?: string;
            /** Of a Git repository: `https://…`, `ssh://…` or `user@host:path`, without a password. */
            url?: string;
            branch?: string | null;
            username?: string | null;
            key?: string | null;
        };
        LessonRepositoryFields: {
            /** The name that people read, at most 200 characters. */
            name: string;
            /** Of a Git repository: `https://…`, `ssh://…` or `user@host:path`, without a password. */
            url: string;
            branch?: string | null;
            username?: string | null;
            key?: string | null;
        };
        LessonRepositoryTest: {
            /** Whether it answers. */
            is_reachable: boolean;
            commit: string | null;
            reason: string | null;
            reason_code: string | null;
            reason_params: { [key: string]: string; } | null;
        };
        Login: {
            /** The username or the e-mail address. */
            username: string;
            /** The password in plain text, 1 to 1000 characters. */
            password: string;
            /** For the pages: also set a cookie, which `POST /api/auth/refresh` takes in place of a token. Refused for requests of other origins. */
            has_cookie?: boolean;
        };
        Member: {
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            email: string | null;
            /** What the user may do; one of the words listed. */
            role: "student" | "assistant" | "instructor";
            /** When the user became a member, in UTC. */
            joined_at: string;
        };
        MemberChange: {
            /** What the user may do; one of the words listed. */
            role: "student" | "assistant" | "instructor";
        };
        MissingFile: {
            /** Identifies the theme: a positive 32-bit integer. */
            theme_id: number;
            /** Identifies the course: a positive 32-bit integer. Null: it belongs to no course. */
            course_id: number;
            /** The path of the lesson in the repository of the course. */
            markdown_file_path: string;
        };
        NameList: {
            /** User names or e-mail addresses, one of a student each. */
            names: string[];
        };
        NewAnnouncement: {
            class_id?: number | null;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** Markdown, as in lessons. */
            text?: string;
            /** Nobody else sees it earlier. Without it: now. */
            shows_from?: string;
            /** Until when it is shown, in UTC. Null: for ever. */
            shows_until?: string | null;
        };
        NewChosenStudents: {
            /** Of students whom the caller can choose; at most `EXAM_SESSION_USERS_MAX`. */
            user_ids: number[];
        };
        NewClass: {
            /** The name that people read, at most 200 characters. */
            name: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description?: string;
            /** An archived class gets no members and no join codes. */
            is_archived?: boolean;
            /** Replaces the courses of the class. */
            course_ids?: number[];
        };
        NewExamMessage: {
            /** The text itself, as people read it. */
            text: string;
            /** Without it: everybody in the session. */
            user_id?: number;
        };
        NewExamSession: {
            /** Identifies the exam: a positive 32-bit integer. Null: it belongs to no exam, or the exam was deleted. */
            exam_id: number;
            /** Either `class_id` or `user_ids` is required. */
            class_id?: number;
            /** Of students whom the caller can choose; at most `EXAM_SESSION_USERS_MAX`. */
            user_ids?: number[];
            /** When the exam session opens, in UTC. Null: as for everyone. */
            opens_at: string;
            /** When the exam session closes, in UTC. Null: as for everyone. */
            closes_at: string;
            /** The title that people read, at most 200 characters. */
            title?: string;
            /** The time for an attempt in minutes, 1 to 1440. Null: no limit of its own. */
            time_limit_minutes?: number | null;
            /** How many attempts a student has, 1 to 1000. Null: any number, or as many as everyone. */
            max_attempts?: number | null;
            /** Which attempt of several counts: the best, the last or the first. */
            counted_attempt?: "best" | "last" | "first";
            access_code?: string | null;
            /** In CIDR notation, IPv4 or IPv6. */
            networks?: string[];
            /** When students see their results; one of the words listed. */
            results_visible?: "at_end" | "after_close" | "when_released" | "never";
            /** Whether students see the output of the checks with their results. */
            is_output_visible?: boolean;
            /** Of attempts that start from then on. */
            is_locked_down?: boolean;
        };
        NewExamTask: {
            /** The title that people read, at most 200 characters. */
            title: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description?: string;
            /** The points for the task, 0 to 10,000. */
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
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            /** With 0 it counts for no percentage. */
            weight?: number;
        };
        NewJoinCode: {
            /** The time from which it is no longer valid, or no longer runs, in UTC. Null: no such time. */
            expires_at?: string | null;
            /** How many users can use the code. Null: any number. */
            max_uses?: number | null;
            email_domain?: string | null;
        };
        NewLaboratoryTask: {
            /** The title that people read, at most 200 characters. */
            title: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description?: string;
            /** The points for the task, 0 to 10,000. */
            points: number;
            /** Bash that gives the verdict as `verdict` says. */
            verification_script: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
            /** A help for the task in Markdown, at most 100,000 characters. Empty: there is none. */
            hint?: string;
        };
        NewMember: {
            /** Identifies the user: a positive 32-bit integer. */
            user_id?: number;
            /** A username or an e-mail address. */
            username?: string;
            /** What the user may do; one of the words listed. */
            role?: "student" | "assistant" | "instructor";
        };
        NewNote: {
            /** Identifies the theme: a positive 32-bit integer. */
            theme_id: number;
            /** The heading above the words, at most 300 characters. Empty: there is none. */
            heading?: string;
            /** The words that the note is about, 1 to 300 characters. */
            excerpt: string;
            /** Empty for a bookmark. */
            text?: string;
        };
        NewRegistrationCode: {
            /** A remark for administrators, at most 200 characters. Null: there is none. */
            note?: string | null;
            /** The time from which it is no longer valid, or no longer runs, in UTC. Null: no such time. */
            expires_at?: string | null;
            /** How many users can use the code. Null: any number. */
            max_uses?: number | null;
        };
        NewSandbox: {
            /** Identifies the sandbox template: a positive 32-bit integer. Null: none, or that of the level above. */
            template_id?: number | null;
        };
        NewSupervisor: {
            /** Identifies the user: a positive 32-bit integer. */
            user_id?: number;
            /** A username or an e-mail address. */
            username?: string;
        };
        NewUser: {
            /** 2 to 64 letters of any script, digits and `_ . - + '`, unique without regard to case, stored in Unicode's form NFKC; or the whole e-mail address of the account. */
            username?: string;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email?: string;
            /** 8 characters to 72 bytes (bcrypt reads no more). */
            password?: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name?: string | null;
            /** What the user may do; one of the words listed. */
            role?: "student" | "instructor" | "admin";
        };
        Note: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the theme: a positive 32-bit integer. */
            theme_id: number;
            theme_title: string | null;
            /** The id of the heading above the paragraph; empty above the first one. */
            heading: string;
            /** The beginning of the paragraph. */
            excerpt: string;
            /** Empty for a bookmark. */
            text: string;
            /** When it was created, in UTC. */
            created_at: string;
            /** When it was last changed, in UTC. Null: never. */
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
            /** What it is, or belongs to; one of the words listed. */
            kind: "exam_opens" | "time_left" | "more_time" | "results" | "deadline" | "announcement" | "supervision";
            /** Of the exam session, the attempt, the laboratory or the announcement. */
            title: string;
            /** The name of the class. Null: it belongs to no class. */
            class_name: string | null;
            /** Identifies the exam: a positive 32-bit integer. Null: it belongs to no exam, or the exam was deleted. */
            exam_id: number | null;
            /** Identifies the laboratory: a positive 32-bit integer. Null: it belongs to no laboratory, or the laboratory was deleted. */
            laboratory_id: number | null;
            /** Identifies the attempt: a positive 32-bit integer. Null: there is none. */
            attempt_id: number | null;
            /** Identifies the class: a positive 32-bit integer. Null: it belongs to no class, or the class was deleted. */
            class_id: number | null;
            /** Identifies the announcement: a positive 32-bit integer. Null: it is about none. */
            announcement_id: number | null;
            session_id: number | null;
            minutes: number | null;
            /** When the exam session closes, the time of the attempt is over, or the laboratory is due. */
            until: string | null;
            /** When it was created, in UTC. */
            created_at: string;
            /** Whether the caller has read it. */
            is_read: boolean;
        };
        /** Whether the caller gets notifications of each kind. */
        NotificationSettings: {
            /** Whether the caller is told when an exam session opens. */
            exam_opens: boolean;
            /** Whether the caller is told when the time of an attempt is nearly over. */
            time_left: boolean;
            /** Whether the caller is told when an attempt is extended. */
            more_time: boolean;
            /** Whether the caller is told when results can be seen. */
            results: boolean;
            /** Whether the caller is told when a laboratory is due soon. */
            deadline: boolean;
            /** Whether the caller is told when there is an announcement. */
            announcement: boolean;
            /** Whether the caller is told when the caller becomes a supervisor. */
            supervision: boolean;
        };
        NotificationSettingsChange: {
            /** Whether the caller is told when an exam session opens. */
            exam_opens?: boolean;
            /** Whether the caller is told when the time of an attempt is nearly over. */
            time_left?: boolean;
            /** Whether the caller is told when an attempt is extended. */
            more_time?: boolean;
            /** Whether the caller is told when results can be seen. */
            results?: boolean;
            /** Whether the caller is told when a laboratory is due soon. */
            deadline?: boolean;
            /** Whether the caller is told when there is an announcement. */
            announcement?: boolean;
            /** Whether the caller is told when the caller becomes a supervisor. */
            supervision?: boolean;
        };
        OpenCourse: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The name that people read, at most 200 characters. */
            name: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description: string;
            /** A keyword for the user interface. Empty: there is none. */
            icon: string;
            /** The number of active themes. */
            theme_count: number;
            /** The number of active laboratories. */
            laboratory_count: number;
            /** The number of active exams. */
            exam_count: number;
            /** The sum of those of its themes. */
            duration_minutes: number;
            /** The sections of the course, in their order. */
            sections: {
                /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
                id: number;
                /** The name that people read, at most 200 characters. */
                name: string;
                /** Whether the section has an active laboratory. */
                has_laboratory: boolean;
                /** The themes of the section, in their order. */
                themes: {
                    /** The title that people read, at most 200 characters. */
                    title: string;
                    /** How long the theme takes, in minutes. 0: not given. */
                    duration_minutes: number;
                }[];
            }[];
        };
        OpponentRun: {
            /** What the check was tried against; one of the words listed. */
            opponent: "kills" | "stops" | "replaces" | "reads" | "empty" | "traces";
            /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
            passed: boolean;
            /** The output of the check, as text. */
            output: string;
            remark: string | null;
            remark_codes: components["schemas"]["Remark"][] | null;
        };
        /** `kept`: an administrator has changed the fields, and the repository has other values. `gone`: no longer in the repository. */
        OutlineChange: {
            /** What the import does with it; one of the words listed. */
            action: "new" | "changed" | "gone" | "kept";
            /** What it is, or belongs to; one of the words listed. */
            kind: "course" | "section" | "theme";
            /** Slugs from the outermost in, such as `course/section/theme`. */
            name: string;
            /** The fields concerned, by name. */
            fields: string[];
        };
        /** As it is after the import. An id is null where the row is new. */
        OutlineCourse: {
            /** Identifies the course here: a positive 32-bit integer. Null: the import will create it. */
            id: number | null;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug: string;
            /** The name that people read, at most 200 characters. */
            name: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description: string;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active: boolean;
            /** The sections of the course, in their order. */
            sections: components["schemas"]["OutlineSection"][];
        };
        OutlineProblem: {
            /** The path of the file, relative to the top of the repository. */
            file: string;
            /** The number of the line in the file, from 1. */
            line: number;
            /** What it is about, in one sentence. */
            message: string;
            /** /api/docs/errors lists these codes. */
            code: string;
            /** The values in the text of the problem, by name. */
            params: { [key: string]: string | number; };
        };
        OutlineSection: {
            /** Identifies the section here: a positive 32-bit integer. Null: the import will create it. */
            id: number | null;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug: string;
            /** The name that people read, at most 200 characters. */
            name: string;
            /** The themes of the section, in their order. */
            themes: components["schemas"]["OutlineTheme"][];
        };
        OutlineTheme: {
            /** Identifies the theme here: a positive 32-bit integer. Null: the import will create it. */
            id: number | null;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug: string;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** The path of the lesson in the repository of the course. */
            markdown_file_path: string;
            /** How long the theme takes, in minutes. 0: not given. */
            duration_minutes: number;
        };
        OwnGrades: {
            /** How the percentage is worked out. */
            rules: components["schemas"]["GradeBookRules"];
            /** The percentage of the whole, 0 to 100. Null: nothing counts for it yet. */
            percent: number | null;
            /** Whether the percentage is enough. Null: there is no limit for it, or no percentage yet. */
            is_passed: boolean | null;
            /** What counts for the percentage, and what does not, one item for each. */
            items: {
                /** Such as `exam-3`, `laboratory-4` or `column-5`. */
                key: string;
                /** What it is, or belongs to; one of the words listed. */
                kind: "exam" | "laboratory" | "column";
                /** The title that people read, at most 200 characters. */
                title: string;
                /** The weight in the percentage, beside those of the others. 0: it does not count. */
                weight: number;
                /** The points that were earned. Null: there is no result, or none that can be shown yet. */
                score: number | null;
                /** The highest score that is possible. Null: nothing has been begun. */
                max_score: number;
                /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
                passed: boolean | null;
                /** Identifies the attempt: a positive 32-bit integer. Null: there is none. */
                attempt_id: number | null;
                /** There is a result that is not shown yet. It does not count for `percent` until then. */
                is_withheld: boolean;
                /** Whether there is no result of something that counts. */
                is_missing: boolean;
                /** Does not count because it is among the lowest. */
                is_dropped: boolean;
            }[];
        };
        OwnedContainer: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The name of the container in the engine. */
            name: string;
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** What it is, or belongs to; one of the words listed. */
            kind: "sandbox" | "exam" | "laboratory";
            /** The image of the container, as the engine names it. */
            image: string;
            /** Identifies the sandbox template: a positive 32-bit integer. Null: none, or that of the level above. */
            template_id: number | null;
            /** The state at the moment of the answer; one of the words listed. */
            status: "creating" | "running" | "stopped" | "failed";
            /** When it was created, in UTC. */
            created_at: string;
            /** When it started, in UTC. Null: it has not. */
            started_at: string | null;
            /** When it last stopped, in UTC. Null: it runs, or never ran. */
            stopped_at: string | null;
            /** Why it was stopped, unless its user did: `idle`: nobody used it; `room`: nobody used it and capacity was needed; `disk`: its disk was full; `exam`: its user takes an exam that allows no sandboxes. */
            stop_reason: "idle" | "room" | "disk" | "exam" | null;
            /** The time from which it is no longer valid, or no longer runs, in UTC. Null: no such time. */
            expires_at: string | null;
            /** When it last replaced a container whose machine was lost; null: never. */
            replaced_at: string | null;
            /** The time of the home folder that it began with then; null: no files were kept. */
            home_kept_at: string | null;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
        };
        PasswordChange: {
            /** The present password, 1 to 1000 characters. */
            old_password: string;
            /** 8 characters to 72 bytes (bcrypt reads no more). */
            new_password: string;
        };
        Profile: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email: string;
            /** What the user may do; one of the words listed. */
            role: "student" | "instructor" | "admin";
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** The path of the picture on this service. Null: there is no picture. */
            avatar_url: string | null;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active: boolean;
            /** When it was created, in UTC. */
            created_at: string;
            /** When the user last logged in, in UTC. Null: never. */
            last_login_at: string | null;
            /** What the user says of themselves: plain text of at most 2000 characters. */
            bio: string;
        };
        ProfileChanges: {
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name?: string | null;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email?: string;
            /** What the user says of themselves: plain text of at most 2000 characters. */
            bio?: string;
        };
        /** The attempt is queued. Request the active attempt until it is `in_progress`, at least once a minute. The clock starts then. */
        QueuedStart: {
            /** Identifies the attempt: a positive 32-bit integer. Null: there is none. */
            attempt_id: number;
            /** The state at the moment of the answer; one of the words listed. */
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
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the attempt: a positive 32-bit integer. Null: there is none. */
            attempt_id: number;
            /** The terminal's size at the start. */
            cols: number;
            /** The height of the terminal at the start, in lines. */
            rows: number;
            /** When it started, in UTC. Null: it has not. */
            started_at: string;
            /** When it ended, in UTC. Null: it has not. */
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
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email: string;
            /** 8 characters to 72 bytes (bcrypt reads no more). */
            password: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name?: string | null;
            code?: string | null;
        };
        RegistrationCode: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The code itself, to be written as it is. */
            code: string;
            /** A remark for administrators, at most 200 characters. Null: there is none. */
            note: string | null;
            /** The time from which it is no longer valid, or no longer runs, in UTC. Null: no such time. */
            expires_at: string | null;
            /** How many users can use the code. Null: any number. */
            max_uses: number | null;
            /** How many users have used the code. */
            uses: number;
            /** When it was created, in UTC. */
            created_at: string;
        };
        RegistrationRules: {
            /** Who can register; one of the words listed. */
            mode: "open" | "domain" | "code" | "closed";
            /** Only with the mode `domain`. */
            domains?: string[];
        };
        Remark: {
            /** The sentence as a stable code. */
            code: "check_timeout" | "check_held" | "check_killed" | "check_gave_up" | "verdict_missing" | "verdict_inexact" | "exit_status" | "exit_status_missing" | "output_cut" | "container_closed" | "task_not_open";
            /** The values in the text of the problem, by name. */
            params: { [key: string]: string | number; };
        };
        RepositoryRefresh: {
            /** The current commit. Null if the repository is empty. */
            commit: string | null;
            /** Whether there is anything new. */
            has_changed: boolean;
        };
        Restored: {
            /** What it is, or belongs to; one of the words listed. */
            kind: "course" | "section" | "theme" | "exam" | "laboratory" | "exam_task" | "laboratory_task" | "sandbox_template" | "registration_code" | "class" | "class_join_code" | "class_grade_column" | "exam_session" | "announcement" | "note";
            /** Identifies the thing that it is about: a positive 32-bit integer. Null: about none. */
            entity_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
        };
        RoleChange: {
            /** What the user may do; one of the words listed. */
            role?: "student" | "instructor" | "admin";
        };
        RunningState: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** When it was published, or when the first attempt of it started. */
            recorded_at: string;
            /** Nothing has changed since. */
            is_current: boolean;
            /** The image of the containers, as the engine names it; at most 500 characters. */
            container_image: string;
            /** Attempts that have begun and not ended. */
            attempts: number;
        };
        SandboxTemplate: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The name that people read, at most 200 characters. */
            name: string;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug: string;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description: string;
            /** The image of the container, as the engine names it. */
            image: string;
            /** Whether the container has access to the internet. */
            has_internet: boolean;
            /** The memory of a container in MiB, 16 to 65,536. */
            memory_mb: number;
            /** The processor time of a container, in cores: more than 0, at most 64. */
            cpus: number;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index: number;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active: boolean;
            /** Users below this role neither see the template nor create sandboxes from it. */
            minimum_role: "student" | "instructor" | "admin";
        };
        SandboxTemplateFields: {
            /** The name that people read, at most 200 characters. */
            name?: string;
            /** The image of the container, as the engine names it. */
            image?: string;
            /** The memory of a container in MiB, 16 to 65,536. */
            memory_mb?: number;
            /** The processor time of a container, in cores: more than 0, at most 64. */
            cpus?: number;
            /** A text in Markdown, at most 100,000 characters. Empty: there is none. */
            description?: string;
            /** Whether the container has access to the internet. */
            has_internet?: boolean;
            /** Users below this role neither see the template nor create sandboxes from it. */
            minimum_role?: "student" | "instructor" | "admin";
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index?: number;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug?: string;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active?: boolean;
        };
        SchoolTimeZone: {
            /** The time zone of the school, such as `Europe/Berlin`. Null: that of each reader. */
            school_time_zone: string | null;
        };
        SearchResult: {
            /** What it is, or belongs to; one of the words listed. */
            kind: "lesson" | "laboratory" | "exam" | "note" | "user" | "attempt";
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** The names around it, such as a course and its section, the outermost first. */
            where: string[];
            /** A part of the text, as plain text in pieces; empty without a text. */
            excerpt: {
                /** The text itself, as people read it. */
                text: string;
                /** Whether this part is what was searched for. */
                is_match: boolean;
            }[];
            theme_id: number | null;
            /** The id of the heading above a note, or empty. */
            heading: string;
        };
        SearchResults: {
            /** The results, one item for each. */
            results: components["schemas"]["SearchResult"][];
        };
        Section: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the course: a positive 32-bit integer. Null: it belongs to no course. */
            course_id: number;
            /** The name that people read, at most 200 characters. */
            name: string;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug: string;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index: number;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active: boolean;
            template_id: number | null;
            /** The themes of the section, in their order. */
            themes: {
                /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
                id: number;
                /** Identifies the section: a positive 32-bit integer. Null: it belongs to no section. */
                section_id: number;
                /** The title that people read, at most 200 characters. */
                title: string;
                /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
                slug: string;
                /** The path of the lesson in the repository of the course. */
                markdown_file_path: string;
                /** How long the theme takes, in minutes. 0: not given. */
                duration_minutes: number;
                /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
                order_index: number;
                template_id: number | null;
                /** Its file is among those that are written in the pages, not in the repository of its course. */
                is_written: boolean;
                /** Whether the caller has completed it. */
                is_completed: boolean;
            }[];
        };
        SectionDetails: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the course: a positive 32-bit integer. Null: it belongs to no course. */
            course_id: number;
            /** The name that people read, at most 200 characters. */
            name: string;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug: string;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index: number;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active: boolean;
            template_id: number | null;
        };
        SectionFields: {
            /** The name that people read, at most 200 characters. */
            name?: string;
            /** Identifies the course: a positive 32-bit integer. Null: it belongs to no course. */
            course_id?: number;
            /** Identifies the sandbox template: a positive 32-bit integer. Null: none, or that of the level above. */
            template_id?: number | null;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index?: number;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug?: string;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active?: boolean;
        };
        SentExamMessage: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            user_id: number | null;
            /** The text itself, as people read it. */
            text: string;
            /** When it was created, in UTC. */
            created_at: string;
        };
        ServiceStatistics: {
            /** The number of active users by role. */
            users: {
                /** The number of students. */
                student: number;
                /** The number of instructors. */
                instructor: number;
                /** The number of administrators. */
                admin: number;
            };
            /** Running containers by kind; `warm` containers wait for an attempt. */
            containers: {
                /** The number of running sandboxes. */
                sandbox: number;
                /** The number of running containers of exams. */
                exam: number;
                /** The number of running containers of laboratories. */
                laboratory: number;
                /** The number of containers that wait for an attempt. */
                warm: number;
            };
            /** The number of attempts by status. */
            attempts: {
                /** The number of attempts with the status `queued`. */
                queued: number;
                /** The number of attempts with the status `in_progress`. */
                in_progress: number;
                /** The number of attempts with the status `grading`. */
                grading: number;
                /** The number of attempts with the status `finished`. */
                finished: number;
                /** The number of attempts with the status `abandoned`. */
                abandoned: number;
                /** The number of attempts with the status `expired`. */
                expired: number;
            };
            /** The newest 50,000 entries, counted by type. */
            activity_last_24_hours: { [key: string]: number; };
        };
        Session: {
            /** The token for the header `Authorization: Bearer`. It is valid for a limited time. */
            access_token: string;
            /** How the token is sent: always `bearer`. */
            token_type: "bearer";
            /** Seconds. */
            expires_in: number;
            /** The account that is logged in. */
            user: components["schemas"]["User"];
        };
        SetupFile: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            task_id: number | null;
            /** The absolute path in the container. */
            path: string;
            /** The account in the container that owns the file. */
            owner: string;
            /** Four octal digits. */
            mode: string;
            /** The size in bytes. */
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
            /** What went wrong, as one of the words listed. */
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
            /** When it was begun, in UTC. */
            begun_at: string;
            /** False: its user has lost the connection and may come back. */
            is_connected: boolean;
        };
        StartedExam: {
            /** Identifies the exam: a positive 32-bit integer. Null: it belongs to no exam, or the exam was deleted. */
            exam_id: number;
            /** Identifies the exam session: a positive 32-bit integer. Null: the attempt belongs to none. */
            session_id: number | null;
            /** Identifies the attempt: a positive 32-bit integer. Null: there is none. */
            attempt_id: number;
            /** Identifies the container: a positive 32-bit integer. Null: there is none, or no longer. */
            container_id: number;
            /** The name of the container in the engine. */
            container_name: string;
            /** The state at the moment of the answer; one of the words listed. */
            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** When it started, in UTC. Null: it has not. */
            started_at: string;
            /** The time from which it is no longer valid, or no longer runs, in UTC. Null: no such time. */
            expires_at: string | null;
        };
        StartedLaboratory: {
            /** Identifies the laboratory: a positive 32-bit integer. Null: it belongs to no laboratory, or the laboratory was deleted. */
            laboratory_id: number;
            /** Identifies the attempt: a positive 32-bit integer. Null: there is none. */
            attempt_id: number;
            /** Identifies the container: a positive 32-bit integer. Null: there is none, or no longer. */
            container_id: number;
            /** The name of the container in the engine. */
            container_name: string;
            /** The state at the moment of the answer; one of the words listed. */
            status: "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** When it started, in UTC. Null: it has not. */
            started_at: string;
            /** The time from which it is no longer valid, or no longer runs, in UTC. Null: no such time. */
            expires_at: string | null;
        };
        Statistics: {
            /** The number of active themes that the student has completed. */
            completed_themes: number;
            /** The number of active themes. */
            total_themes: number;
            /** 0 to 100, with one decimal. */
            percent: number;
            /** Exams, not attempts: one that was passed twice counts once. */
            exams_passed: number;
            /** The number of exams of which the user has begun an attempt. */
            exams_attempted: number;
            average_score_percent: number | null;
            /** The number of laboratories that the user has passed. */
            laboratories_passed: number;
            /** The sum of `duration_minutes` of the completed themes. */
            minutes_learned: number;
            /** Days in a row (UTC), until today or yesterday, on which a theme was completed or an attempt was submitted. */
            current_streak_days: number;
            /** The most days in a row on which the user did something. */
            longest_streak_days: number;
            /** Running, or being created. */
            active_containers: number;
        };
        StuckStudent: {
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** What it is, or belongs to; one of the words listed. */
            kind: "lesson" | "exam" | "laboratory";
            /** Of the exam or the laboratory, or of the theme that is next. */
            id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** Identifies the class: a positive 32-bit integer. Null: it belongs to no class, or the class was deleted. */
            class_id: number | null;
            /** The name of the class. Null: it belongs to no class. */
            class_name: string | null;
            /** The attempts that did not pass; 0 for a lesson. */
            attempts: number;
            attempt_id: number | null;
            /** When the last lesson was completed, or the last attempt ended. */
            last_at: string;
        };
        StudentAttempt: {
            /** What it is, or belongs to; one of the words listed. */
            kind: "exam" | "laboratory";
            /** Identifies the laboratory: a positive 32-bit integer. Null: it belongs to no laboratory, or the laboratory was deleted. */
            laboratory_id: number | null;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email: string;
            /** Identifies the exam: a positive 32-bit integer. Null: it belongs to no exam, or the exam was deleted. */
            exam_id: number | null;
            session_id: number | null;
            /** Its clock has been stopped since then. `expires_at` moves when the session is resumed, or the break ends. */
            paused_at: string | null;
            /** When the break ends that began at `paused_at`. While the session is paused, it moves with the time. Null: the student is not on a break. */
            break_ends_at: string | null;
            /** Whether an instructor or administrator ended it before its time: while it was in progress, and it is graded as it was at `submitted_at`, or in the queue. */
            is_ended_by_staff: boolean;
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            container_id: number | null;
            /** The name of the container in the engine. */
            container_name: string;
            /** The state at the moment of the answer; one of the words listed. */
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            /** When it was handed in, in UTC. Null: it was not. */
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            /** The points that are needed to pass. */
            passing_score: number;
            /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
            passed: boolean | null;
            /** Why the grading failed, in English. Null: it did not. */
            grading_error: string | null;
            /** Why the grading failed, or why the attempt ended without a result; /api/docs/errors lists the codes. Null for some older errors as well. */
            grading_error_code: "container_full" | "container_lost" | "container_not_created" | "container_replaced" | "container_stopped" | "container_unreachable" | "engine_unavailable" | "grading_failed" | "grading_interrupted" | "restored_from_backup" | null;
        };
        StudentResults: {
            /** What it is, or belongs to; one of the words listed. */
            kind: "exam" | "laboratory";
            /** Identifies the laboratory: a positive 32-bit integer. Null: it belongs to no laboratory, or the laboratory was deleted. */
            laboratory_id: number | null;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email: string;
            /** Identifies the exam: a positive 32-bit integer. Null: it belongs to no exam, or the exam was deleted. */
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
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            container_id: number | null;
            /** The name of the container in the engine. */
            container_name: string;
            /** The state at the moment of the answer; one of the words listed. */
            status: "queued" | "in_progress" | "grading" | "finished" | "abandoned" | "expired";
            /** For a queued attempt: the time of the request. */
            started_at: string;
            /** When it was handed in, in UTC. Null: it was not. */
            submitted_at: string | null;
            /** Null without a time limit, and for a queued attempt. */
            expires_at: string | null;
            score: number | null;
            /** The highest score that is possible. Null: nothing has been begun. */
            max_score: number;
            /** The points that are needed to pass. */
            passing_score: number;
            /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
            passed: boolean | null;
            /** Why the grading failed, in English. Null: it did not. */
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
            /** What it is, or belongs to; one of the words listed. */
            kind: "exam" | "laboratory";
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active: boolean;
            /** The number of students with attempts. */
            students: number;
        };
        SubjectDeleted: {
            /** One sentence in English for people, which can change at any time. */
            detail: string;
            /** What came of it; one of the words listed. */
            outcome: "deleted" | "retired";
        };
        Supervisor: {
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email: string;
            /** When the user was added, in UTC. */
            added_at: string;
        };
        SystemState: {
            /** The process that answered. */
            service: {
                /** The version of the software. Null: not known. */
                version: string;
                /** The version of Node.js. */
                node_version: string;
                /** For how many seconds the process has been running. */
                uptime_seconds: number;
                /** The memory that the process has, in bytes. */
                memory_bytes: number;
                /** Of the service, on this database. */
                processes: number;
            };
            /** The container engine. */
            engine: {
                /** Whether it answers. */
                is_reachable: boolean;
                problem: string | null;
                /** The name of the container engine. Null while it cannot be reached. */
                name: string | null;
                /** The version of the software. Null: not known. */
                version: string | null;
            };
            /** The database of the service. */
            database: {
                /** The version of the software. Null: not known. */
                version: string;
                /** The size on the disk, in bytes. */
                size_bytes: number;
            };
            /** The disk of the data folder. */
            disk: {
                /** The size of the disk, in bytes. */
                total_bytes: number;
                /** What is free on the disk, in bytes. */
                free_bytes: number;
            };
            /** Containers created in advance for exams. */
            warm_pool: {
                /** The number of containers that should be ready. */
                wanted: number;
                /** The number of containers that are ready. */
                ready: number;
            };
            /** Gradings. */
            grading: {
                /** The number of gradings that are going on. */
                running: number;
                /** The number of gradings that wait for a place. */
                waiting: number;
            };
            /** Containers that are being created. */
            container_starts: {
                /** The number of containers that are being started. */
                running: number;
                /** The number of containers that wait for their start. */
                waiting: number;
            };
            /** The number of terminals that are open. */
            open_terminals: number;
            /** The 20 networks that had to wait last, within a week. `PEOPLE_PER_ADDRESS` decides when. */
            network_limits: {
                /** An IPv4 /24 or an IPv6 /56. */
                network: string;
                /** `logins`, `registrations`, `registration_codes`, `invitations`, `join_codes` or `requests`. */
                limit_met: string;
                /** How often it happened. */
                times: number;
                /** The first time that it happened, in UTC. */
                first_at: string;
                /** The last time that it happened, in UTC. */
                last_at: string;
            }[];
        };
        TaskOrder: {
            /** The ids of all tasks, each once. */
            task_ids: number[];
        };
        TaskResult: {
            /** Identifies the task: a positive 32-bit integer. */
            task_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
            passed: boolean;
            /** The points for the task, 0 to 10,000. */
            points: number;
            /** The points that were earned for the task. */
            points_earned: number;
            /** The standard output of the check, unchanged, at most its last 64 KiB. NUL and bytes that are not UTF-8 are shown as U+FFFD. */
            output: string;
            remark: string | null;
            remark_codes: components["schemas"]["Remark"][] | null;
            /** When the result was found, in UTC. */
            graded_at: string;
        };
        TaskScripts: {
            /** Bash that gives the verdict as `verdict` says. */
            verification_script?: string;
            /** What a PASS is: the last line PASS (default), the exit status 0, or the last line OK. */
            verdict?: "pass" | "exit-status" | "ok";
            solution_script?: string | null;
            setup_script?: string | null;
        };
        TaskTrial: {
            /** Identifies the task: a positive 32-bit integer. */
            task_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** The check in a new container. It must fail. */
            first: {
                /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
                passed: boolean;
                /** The output of the check, as text. */
                output: string;
                remark: string | null;
                remark_codes: components["schemas"]["Remark"][] | null;
            };
            /** The run of the solution. Null: it was not run. */
            solution: {
                exit_status: number | null;
                /** The end of what it printed in a terminal, as plain text. */
                output: string;
            } | null;
            after: {
                /** Whether it was passed. Null: there is no result, or none that can be shown yet. */
                passed: boolean;
                /** The output of the check, as text. */
                output: string;
                remark: string | null;
                remark_codes: components["schemas"]["Remark"][] | null;
            } | null;
            /** The check in a container where nothing is solved, against a student who kills or stops its processes, replaces files while it runs, answers with words from /proc, answers with nothing, or, where the image grants root, traces its processes as root. It must fail. Empty if the check passed at first. */
            opponents: components["schemas"]["OpponentRun"][];
            problem: string | null;
            /** The problem as a stable code for clients. */
            problem_code: "passes_at_first" | "no_verdict" | "no_solution" | "passes_before_solution" | "solution_timeout" | "solution_failed" | "fails_after_solution" | "undone_by_later_tasks" | "forgeable" | null;
        };
        Theme: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the section: a positive 32-bit integer. Null: it belongs to no section. */
            section_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug: string;
            /** The path of the lesson in the repository of the course. */
            markdown_file_path: string;
            /** How long the theme takes, in minutes. 0: not given. */
            duration_minutes: number;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index: number;
            template_id: number | null;
            /** Its file is among those that are written in the pages, not in the repository of its course. */
            is_written: boolean;
            /** Whether the caller has completed it. */
            is_completed: boolean;
            /** Identifies the course: a positive 32-bit integer. Null: it belongs to no course. */
            course_id: number;
            /** When the caller completed it, in UTC. Null: not completed. */
            completed_at: string | null;
            /** Identifies the theme before this one in the course: a positive 32-bit integer. Null: this is the first. */
            previous_theme_id: number | null;
            /** Identifies the theme after this one in the course: a positive 32-bit integer. Null: this is the last. */
            next_theme_id: number | null;
            /** The sandbox template of the theme, or else of its section, or else of its course. */
            nearest_template_id: number | null;
        };
        ThemeDetails: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** Identifies the section: a positive 32-bit integer. Null: it belongs to no section. */
            section_id: number;
            /** The title that people read, at most 200 characters. */
            title: string;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug: string;
            /** The path of the lesson in the repository of the course. */
            markdown_file_path: string;
            /** How long the theme takes, in minutes. 0: not given. */
            duration_minutes: number;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index: number;
            template_id: number | null;
            /** Its file is among those that are written in the pages, not in the repository of its course. */
            is_written: boolean;
        };
        ThemeFields: {
            /** The title that people read, at most 200 characters. */
            title?: string;
            /** Identifies the section: a positive 32-bit integer. Null: it belongs to no section. */
            section_id?: number;
            /** Relative to the root of the lessons repository; no `..`, no leading slash, no backslash. */
            markdown_file_path?: string;
            /** The place among its siblings: smaller numbers come first, equal ones in the order of their ids. */
            order_index?: number;
            /** The name in addresses and files: lower-case letters, digits and hyphens, at most 100 characters. */
            slug?: string;
            /** How long the theme takes, in minutes. 0: not given. */
            duration_minutes?: number;
            /** Identifies the sandbox template: a positive 32-bit integer. Null: none, or that of the level above. */
            template_id?: number | null;
            /** The file is among those that are written in the pages. Default: false. */
            is_written?: boolean;
        };
        ThemeProgress: {
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** Identifies the theme: a positive 32-bit integer. */
            theme_id: number;
            /** Whether the caller has completed it. */
            completed: boolean;
            /** When the caller completed it, in UTC. Null: not completed. */
            completed_at: string | null;
        };
        TrialReport: {
            /** Whether nothing was found to be wrong. */
            is_ok: boolean;
            problem: string | null;
            /** The problem of the whole as a stable code. `no_tasks`: every attempt ends with 0 of 0 points. */
            problem_code: "no_tasks" | null;
            setup: components["schemas"]["SetupProblem"] | null;
            /** The tasks, in their order. */
            tasks: components["schemas"]["TaskTrial"][];
        };
        UndoDeletion: {
            /** What it is, or belongs to; one of the words listed. */
            kind: "course" | "section" | "theme" | "exam" | "laboratory" | "exam_task" | "laboratory_task" | "sandbox_template" | "registration_code" | "class" | "class_join_code" | "class_grade_column" | "exam_session" | "announcement" | "note";
            /** Identifies the thing that it is about: a positive 32-bit integer. Null: about none. */
            entity_id: number;
        };
        Unlocking: {
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
        };
        UploadedFile: {
            /** Absolute. */
            path: string;
            /** The size in bytes. */
            bytes: number;
        };
        User: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email: string;
            /** What the user may do; one of the words listed. */
            role: "student" | "instructor" | "admin";
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** The path of the picture on this service. Null: there is no picture. */
            avatar_url: string | null;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active: boolean;
            /** When it was created, in UTC. */
            created_at: string;
            /** When the user last logged in, in UTC. Null: never. */
            last_login_at: string | null;
        };
        UserChanges: {
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name?: string | null;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email?: string;
            /** Whether it can be used. Students do not see what is not active, and users who are not active cannot log in. */
            is_active?: boolean;
            /** 8 characters to 72 bytes (bcrypt reads no more). */
            password?: string;
        };
        UserImport: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The state at the moment of the answer; one of the words listed. */
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
            /** When it was created, in UTC. */
            created_at: string;
            /** When it was finished, in UTC. Null: it is not. */
            finished_at: string | null;
        };
        /** The request does not match its schema, or breaks a rule that no schema expresses. */
        ValidationError: {
            /** The problems of the request, one item for each. */
            detail: {
                /** Where the problem is: `body`, `query`, `path` or `headers`, then the names and indexes that lead to the value. */
                loc: (string | number)[];
                /** The problem in English, for people. */
                msg: string;
                /** The kind of the problem, as a stable word. */
                type: string;
            }[];
        };
        WatchableContainer: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The name of the container in the engine. */
            name: string;
            /** Identifies the user: a positive 32-bit integer. */
            user_id: number;
            /** What it is, or belongs to; one of the words listed. */
            kind: "sandbox" | "exam" | "laboratory";
            /** The image of the container, as the engine names it. */
            image: string;
            /** Identifies the sandbox template: a positive 32-bit integer. Null: none, or that of the level above. */
            template_id: number | null;
            /** The state at the moment of the answer; one of the words listed. */
            status: "creating" | "running" | "stopped" | "failed";
            /** When it was created, in UTC. */
            created_at: string;
            /** When it started, in UTC. Null: it has not. */
            started_at: string | null;
            /** When it last stopped, in UTC. Null: it runs, or never ran. */
            stopped_at: string | null;
            /** Why it was stopped, unless its user did: `idle`: nobody used it; `room`: nobody used it and capacity was needed; `disk`: its disk was full; `exam`: its user takes an exam that allows no sandboxes. */
            stop_reason: "idle" | "room" | "disk" | "exam" | null;
            /** The time from which it is no longer valid, or no longer runs, in UTC. Null: no such time. */
            expires_at: string | null;
            /** When it last replaced a container whose machine was lost; null: never. */
            replaced_at: string | null;
            /** The time of the home folder that it began with then; null: no files were kept. */
            home_kept_at: string | null;
            /** The name to log in with; unique in any case of its letters. Null: there is no user, or the account was deleted. */
            username: string;
            /** The name that people read, at most 200 characters. Null: not given. */
            full_name: string | null;
            /** The e-mail address, at most 254 characters; unique in any case of its letters. */
            email: string;
            /** Identifies the attempt: a positive 32-bit integer. Null: there is none. */
            attempt_id: number | null;
            title: string | null;
            /** Whether its student has a terminal open, which can be watched. */
            has_terminal: boolean;
        };
        WrittenLesson: {
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The path of the file, relative, with slashes. */
            path: string;
            /** The newest one. Revisions are counted from 1. */
            revision: number;
            /** The size in bytes. */
            bytes: number;
            /** When it was last changed, in UTC. */
            changed_at: string;
            /** Whether the file was deleted. */
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
            /** Identifies it among all of its kind: a positive 32-bit integer that never changes. */
            id: number;
            /** The path of the file, relative, with slashes. */
            path: string;
            /** The newest one. Revisions are counted from 1. */
            revision: number;
            /** The size in bytes. */
            bytes: number;
            /** When it was last changed, in UTC. */
            changed_at: string;
            /** Whether the file was deleted. */
            is_deleted: boolean;
            /** Whether it is a Markdown file. */
            is_text: boolean;
            /** The lessons that have it. */
            lessons: components["schemas"]["LessonOfFile"][];
            text: string | null;
        };
        WrittenRevision: {
            /** The number of the revision of the file, from 1. */
            revision: number;
            /** The path of the file, relative, with slashes. */
            path: string;
            /** The size in bytes. */
            bytes: number;
            /** The file was deleted with it. */
            is_deleted: boolean;
            /** What it is about, in one sentence. */
            message: string;
            /** Identifies the user who wrote it: a positive 32-bit integer. Null: written without an account, or the account was deleted. */
            author_id: number | null;
            author: string | null;
            /** When it was created, in UTC. */
            created_at: string;
        };
        WrittenRevisionText: {
            /** The number of the revision of the file, from 1. */
            revision: number;
            /** The path of the file, relative, with slashes. */
            path: string;
            /** The size in bytes. */
            bytes: number;
            /** The file was deleted with it. */
            is_deleted: boolean;
            /** What it is about, in one sentence. */
            message: string;
            /** Identifies the user who wrote it: a positive 32-bit integer. Null: written without an account, or the account was deleted. */
            author_id: number | null;
            author: string | null;
            /** When it was created, in UTC. */
            created_at: string;
            /** The Markdown of that revision. Null: the file was deleted with it. */
            text: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
