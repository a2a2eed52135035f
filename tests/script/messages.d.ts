// Made from server/table/messages.py by tests/script/messages.py; without what a program gets and a page does not.

declare namespace Messages {
  interface AddNonce {
    type: "nonce";
    commitment: string;
    nonce: string;
  }
  interface AnswerBack {
    type: "answer back";
    yes: boolean;
  }
  interface AskBack {
    type: "ask back";
  }
  interface Choice {
    move: string;
    label: string;
    takes?: string[];
    puts?: string;
  }
  interface Current {
    type: "current";
    number: number;
  }
  interface Done {
    type: "done";
    id: string;
    number: number;
  }
  interface End {
    type: "end";
  }
  interface Hello {
    type: "hello";
    number?: number;
  }
  interface Leave {
    type: "leave";
  }
  interface Look {
    type: "look";
    ply: number;
  }
  interface Mute {
    type: "mute";
    seat: number;
    on: boolean;
  }
  interface NewDeal {
    type: "deal";
  }
  interface NewLink {
    type: "new link";
  }
  interface Page {
    type: "page";
    number: number;
    phase: string;
    seat: number;
    yours: boolean;
    regions: Record<string, string>;
    lines?: string;
    choices?: Choice[];
    last?: string[];
    news?: string[];
    commitment?: string;
    deadline?: number;
    title?: string;
  }
  interface Past {
    type: "past";
    ply: number;
    regions?: Record<string, string>;
  }
  interface Play {
    type: "move";
    id: string;
    number: number;
    move: string;
  }
  interface Refused {
    type: "refused";
    reason: string;
    id?: string;
    clause?: string;
    advice?: string;
    number?: number;
  }
  interface Return {
    type: "return";
  }
  interface Say {
    type: "say";
    id: string;
    text: string;
  }
  interface Substitute {
    type: "substitute";
    seat: number;
    kind?: string;
  }
  interface Try {
    type: "try";
    id: string;
    number: number;
    takes?: string[];
    puts?: string;
  }
  type Ask =
    | Hello
    | Look
    | Play
    | Try
    | AddNonce
    | NewDeal
    | AskBack
    | AnswerBack
    | Substitute
    | Return
    | Leave
    | NewLink
    | End
    | Say
    | Mute;
  type Tell =
    | Page
    | Past
    | Current
    | Done
    | Refused;
}
