import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Answer } from '../../api/client.ts';
import { followEvents } from '../../api/events.ts';
import { sessionsKey } from '../../teaching-model/session-list.ts';

export type Room = Answer<'/api/exam-sessions/{id}/room'>;
export type RoomStudent = Room['students'][number];
type RoomChange = { session?: Room['session']; students: RoomStudent[]; gone: number[] };

type Live = {
  room: Room | undefined;
  /** Whether changes arrive. */
  isLive: boolean;
  error: unknown;
};

/** The room of an exam session, kept up to date by the service. */
export function useRoom(id: number): Live {
  const queries = useQueryClient();
  const [live, setLive] = useState<Live>({ room: undefined, isLive: true, error: undefined });
  useEffect(() => {
    const end = new AbortController();
    const set = (next: (before: Live) => Partial<Live>): void => {
      if (!end.signal.aborted) setLive((before) => ({ ...before, ...next(before) }));
    };
    followEvents(`/api/exam-sessions/${id}/room/events`, {
      signal: end.signal,
      onLive: (isLive) => set(() => ({ isLive })),
      onEvent: (event, data) => {
        if (event === 'room') set(() => ({ room: data as Room }));
        else if (event === 'change') {
          const change = data as RoomChange;
          set(({ room }) => ({ room: room && changed(room, change) }));
          if (change.session) void queries.invalidateQueries({ queryKey: sessionsKey });
        }
      },
    }).catch((error: unknown) => set(() => ({ error, isLive: false })));
    return () => end.abort();
  }, [id, queries]);
  return live;
}

/** A room after a change. Students stay in the order of their usernames. */
export function changed(room: Room, { session, students, gone }: RoomChange): Room {
  const byId = new Map(room.students.map((student) => [student.user_id, student]));
  for (const student of students) byId.set(student.user_id, student);
  for (const id of gone) byId.delete(id);
  const inOrder = [...byId.values()].sort((a, b) => a.username.localeCompare(b.username));
  return { session: session ?? room.session, students: inOrder };
}
